"""Prometheus metrics. They contain no names and no ids."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest


class Metrics:
    """The metrics of one app."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self.requests = Counter(
            "trueodds_requests", "Requests by route, method and status.", ("route", "method", "status"),
            registry=self._registry,
        )  # fmt: skip
        self.request_seconds = Histogram(
            "trueodds_request_seconds", "Duration of requests.", ("route",), registry=self._registry
        )
        self.commands = Counter("trueodds_commands", "Commands by outcome.", ("outcome",), registry=self._registry)
        self.sockets = Gauge("trueodds_sockets", "Open sockets.", registry=self._registry)
        self.events_sent = Counter("trueodds_events_sent", "Events sent to sockets.", registry=self._registry)
        self.sockets_dropped = Counter(
            "trueodds_sockets_dropped", "Sockets closed by the server.", ("reason",), registry=self._registry
        )

    def render(self) -> bytes:
        """Return all metrics in the Prometheus text format."""
        return generate_latest(self._registry)
