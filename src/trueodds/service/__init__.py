"""The table service: runs live tables with players, bots, chips, timeouts and provably fair dice."""
