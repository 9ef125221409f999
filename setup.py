"""Builds the two libraries with CMake and puts them, with the headers, into the package."""
import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

here = Path(__file__).resolve().parent


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        # CAIRN_BUILD names a build folder that is ready, e.g. that of the tests.
        build = Path(os.environ.get("CAIRN_BUILD", here / "build"))
        if not (build / "CMakeCache.txt").exists():
            subprocess.run(["cmake", "-S", here, "-B", build, "-DCMAKE_BUILD_TYPE=Release"], check=True)
        jobs = str(os.cpu_count() or 1)
        subprocess.run(["cmake", "--build", build, "--target", "cairn-view-shared", "-j", jobs], check=True)
        package = Path(self.build_lib) / "cairn"
        for soname in build.glob("libcairn*.so.[0-9]"):  # the one links the other by this name
            shutil.copy(soname, package / soname.name)
        shutil.copytree(here / "include" / "cairn", package / "include", dirs_exist_ok=True)


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True  # the wheel is of this machine


version = re.search(r'CN_VERSION "([^"]+)"', (here / "include/cairn/base.h").read_text()).group(1)
setup(version=version, cmdclass={"build_py": BuildWithLibrary}, distclass=WithLibrary)
