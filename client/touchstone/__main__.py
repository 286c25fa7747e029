"""`python -m touchstone`."""

import sys

from touchstone.command_line import main

sys.exit(main())
