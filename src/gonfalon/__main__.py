"""`python -m gonfalon`."""

import sys

from gonfalon.cli import main

sys.exit(main())
