"""The robustness sweep: how far a generator degrades when k of its passages are poisoned (paper 001)."""
