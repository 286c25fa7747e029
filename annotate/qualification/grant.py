"""Admission of an annotator to real work by an adjudicator, whatever their qualification."""

from django.db import transaction

from annotate.models import Membership, Qualification, Role, User
from annotate.qualification.status import qualification_status_of


class GrantError(ValueError):
    """The pass cannot be granted; the message says why. Nothing was changed."""


@transaction.atomic
def grant(member: Membership, who: User, why: str) -> Qualification:
    """Admit the annotator; the pass records their right answers by then, the adjudicator and the reason."""
    why = why.strip()
    name = member.user.get_username()
    if member.role != Role.ANNOTATOR:
        raise GrantError(f"{name} is no annotator of this dataset")
    if not why:
        raise GrantError("say why: the reason stays with the pass")
    standing = qualification_status_of(member.dataset, member.user)
    judged = standing is not None and standing.units > 0
    # The annotator may be earning the pass, or another adjudicator granting it, at the same moment.
    passed, granted = member.dataset.qualifications.get_or_create(
        annotator=member.user,
        defaults={
            "right": standing.right if standing and judged else None,
            "units": standing.units if standing and judged else None,
            "granted_by": who,
            "why": why,
        },
    )
    if not granted:
        raise GrantError(f"{name} is qualified already")
    return passed
