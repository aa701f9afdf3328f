"""The ``ragstone`` command: one module for each group of commands, thin, heavy imports inside the functions."""
