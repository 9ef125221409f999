"""Signals inside long calls: Ctrl-C is answered while C works.

The interpreter notes a signal at once, but runs its handler only between instructions of Python, and there are none
while C works. What it also does at once is to write the number of the signal to a file (signal.set_wakeup_fd). That
file is mapped into memory, so that the number is a flag that C looks at: it drops the step and returns, and the
handler runs."""
import mmap
import os
import signal
import tempfile
import threading

from ._native import ffi


class _Flag:
    def __init__(self):
        self.file = os.memfd_create("cairn") if hasattr(os, "memfd_create") else os.dup(tempfile.TemporaryFile().fileno())
        os.set_blocking(self.file, False)
        os.truncate(self.file, mmap.PAGESIZE)
        self.map, self.process = mmap.mmap(self.file, mmap.PAGESIZE), os.getpid()
        self.int = ffi.cast("int *", ffi.from_buffer(self.map))

    def take(self):
        """The signals that came, which are forgotten."""
        count = min(os.lseek(self.file, 0, os.SEEK_CUR), mmap.PAGESIZE)
        came = self.map[:count]
        if count > 0:
            self.map[:count] = bytes(count)
            os.lseek(self.file, 0, os.SEEK_SET)
        return came


_made = None


def _flag():
    global _made
    if _made is None or _made.process != os.getpid():  # a fork shares the file with its parent
        _made = _Flag()
    return _made


class signal_flag:
    """`with signal_flag() as flag`: an int of C that is not 0 once a signal has come; NULL in other threads than the main
    one, which gets them. A class, since each step begins and ends one: a generator takes twice the time."""

    __slots__ = ("flag", "before", "is_wanted")

    def __init__(self, is_wanted=True):
        self.flag, self.before, self.is_wanted = None, -1, is_wanted

    def __enter__(self):
        if not self.is_wanted or threading.get_ident() != threading.main_thread().ident:
            return ffi.NULL
        self.flag = _flag()
        self.before = signal.set_wakeup_fd(self.flag.file, warn_on_full_buffer=False)
        return self.flag.int

    def __exit__(self, *_):
        flag, before = self.flag, self.before
        if flag is None:
            return
        signal.set_wakeup_fd(before if before != flag.file else -1)
        came = flag.take()
        if came and before not in (-1, flag.file):
            os.write(before, came)


def is_interrupt_alone():
    """Whether Ctrl-C raises KeyboardInterrupt and no other signal has a handler, so that one is a reason to stop."""
    if threading.current_thread() is not threading.main_thread():
        return True  # where none arrives
    return all(signal.getsignal(number) in (None, signal.SIG_DFL, signal.SIG_IGN) or
               number == signal.SIGINT and signal.getsignal(number) is signal.default_int_handler
               for number in signal.valid_signals())
