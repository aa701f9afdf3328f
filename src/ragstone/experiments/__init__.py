"""Experiments: the detection benchmark, studies of its parts, and the replay of recorded runs."""
