"""Named data sets, one module each. Nothing that screens or verifies imports them, so labels stay out of its sight."""
