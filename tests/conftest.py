"""What all tests need."""

import signal

# A script that starts programs in the background, or by nohup, has them ignore these signals, and so do the
# programs that they start: tests that interrupt one would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
