"""The package with the headers and the two libraries, which CMake builds.

CAIRN_BUILD names a build folder that is ready, e.g. that of the tests. CAIRN_LIBRARY=system leaves the libraries
out, for packages of a system that has them in its own folders."""
import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

here = Path(__file__).resolve().parent
system_library = os.environ.get("CAIRN_LIBRARY") == "system"


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        package = Path(self.build_lib) / "cairn"
        shutil.copytree(here / "include" / "cairn", package / "include", dirs_exist_ok=True)
        if not system_library:
            add_libraries(package)


def add_libraries(package):
    build = Path(os.environ.get("CAIRN_BUILD", here / "build"))
    if not (build / "CMakeCache.txt").exists():
        subprocess.run(["cmake", "-S", here, "-B", build, "-DCMAKE_BUILD_TYPE=Release"], check=True)
    jobs = str(os.cpu_count() or 1)
    subprocess.run(["cmake", "--build", build, "--target", "cairn-view-shared", "-j", jobs], check=True)
    for soname in build.glob("libcairn*.so.[0-9]"):  # the one links the other by this name
        shutil.copy(soname, package / soname.name)


def wheel_command():
    """The wheel is of this machine, but of no one version of Python: cffi opens the libraries at run time."""
    try:
        from setuptools.command.bdist_wheel import bdist_wheel
    except ImportError:
        try:
            from wheel.bdist_wheel import bdist_wheel  # which made wheels before setuptools 70.1
        except ImportError:
            return {}

    class WheelOfAnyPython(bdist_wheel):
        def get_tag(self):
            return "py3", "none", super().get_tag()[2]

    return {"bdist_wheel": WheelOfAnyPython}


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return not system_library


version = re.search(r'CN_VERSION "([^"]+)"', (here / "include/cairn/base.h").read_text()).group(1)
setup(version=version, cmdclass={"build_py": BuildWithLibrary, **wheel_command()}, distclass=WithLibrary)
