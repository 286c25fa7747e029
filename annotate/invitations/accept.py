"""An invitation is accepted on its page, with the account that somebody has or with a new one."""

from django.db import IntegrityError, transaction
from django.http import HttpRequest

from annotate.invitations.forms import PersonForm
from annotate.invitations.invite import InvitationError, accept, take_address
from annotate.models import Invitation, User
from audit.models import Action
from audit.record import record


@transaction.atomic
def accept_as(request: HttpRequest, invitation: Invitation, person: User) -> None:
    """Make the person a member. Raises InvitationError as `accept` does."""
    accept(invitation, person)
    record(request, Action.INVITATION_ACCEPTED, person, detail=f"{invitation.dataset}: {invitation.role}")


def make_account(request: HttpRequest, invitation: Invitation, form: PersonForm) -> User | None:
    """The new person, who is a member now; None, with the reason in the form, where that cannot be done."""
    try:
        with transaction.atomic():
            made = form.make_user()
            take_address(invitation, made)
            accept_as(request, invitation, made)
    except IntegrityError:
        form.add_error("username", "This user name is taken. Choose another one.")
    except InvitationError as error:
        form.add_error(None, f"Not done: {error}.")
    else:
        return made
    return None
