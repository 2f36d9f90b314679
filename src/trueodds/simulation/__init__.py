"""Simulation: sessions played through the automaton by compiled kernels, on any number of threads and machines."""
