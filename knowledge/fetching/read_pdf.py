"""The text of a PDF, page after page."""

from io import BytesIO

from pypdf import PdfReader
from pypdf.errors import DependencyError, PyPdfError

from knowledge.fetching.errors import FetchError
from knowledge.fetching.page import PageContent, one_line, tidy


def read_pdf(body: bytes) -> PageContent:
    """Its text, title and day of creation. FetchError if it is damaged, or closed by a password."""
    try:
        reader = PdfReader(BytesIO(body))
        if reader.is_encrypted and not reader.decrypt(""):
            raise FetchError("The PDF needs a password.")
        about = reader.metadata
        created = about.creation_date if about else None
        return PageContent(
            title=one_line(about.title if about else None),
            published=created.date().isoformat() if created else "",
            text=tidy("\n\n".join(page.extract_text() for page in reader.pages)),
        )
    except DependencyError:
        raise FetchError("The PDF has an unknown encryption.") from None
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        # A damaged file fails wherever the reader happens to be.
        raise FetchError("The PDF is damaged and cannot be read.") from None
