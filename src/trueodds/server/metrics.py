"""What is counted, for Prometheus: no names, no ids, only how much and how long."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    """The counters of one app."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.requests = Counter(
            "trueodds_requests", "Requests by route, method and status.", ("route", "method", "status"),
            registry=self._registry,
        )  # fmt: skip
        self.seconds = Histogram(
            "trueodds_request_seconds", "How long requests took.", ("route",), registry=self._registry
        )
        self.wishes = Counter("trueodds_wishes", "Wishes by what came of them.", ("answer",), registry=self._registry)
        self.sockets = Gauge("trueodds_sockets", "Sockets that are open.", registry=self._registry)
        self.rows = Counter("trueodds_rows_sent", "Rows sent to sockets.", registry=self._registry)
        self.dropped = Counter("trueodds_sockets_dropped", "Sockets dropped.", ("why",), registry=self._registry)

    def text(self) -> bytes:
        """Write everything as Prometheus reads it."""
        return generate_latest(self._registry)
