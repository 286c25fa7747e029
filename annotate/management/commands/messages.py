"""Bring the catalogs of translations up to the texts of templates and code (docs/languages.md)."""

from typing import Any

import polib
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils.translation import to_locale

from core.catalogs import LOCALE
from core.messages import Message, all_messages

PLURALS = {
    "de": "nplurals=2; plural=(n != 1);",
    "zh_Hans": "nplurals=1; plural=0;",
    "ar": "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;",
}


class Command(BaseCommand):
    help = "Write new messages into locale/*/LC_MESSAGES/*.po, and leave out what no page says any more."

    def handle(self, *arguments: Any, **options: Any) -> None:
        catalogs = all_messages(settings.BASE_DIR)
        for locale in (to_locale(code) for code, _ in settings.LANGUAGES if code != settings.LANGUAGE_CODE):
            folder = LOCALE / locale / "LC_MESSAGES"
            known = {
                entry.msgid: entry for source in sorted(folder.glob("*.po")) for entry in polib.pofile(str(source))
            }
            for name, messages in catalogs.items():
                catalog = polib.POFile(wrapwidth=120)
                catalog.metadata = {
                    "Language": locale,
                    "MIME-Version": "1.0",
                    "Content-Type": "text/plain; charset=UTF-8",
                    "Content-Transfer-Encoding": "8bit",
                    "Plural-Forms": PLURALS[locale],
                }
                catalog.extend(_entry(message, known.get(message.text), locale) for message in messages)
                catalog.save(str(folder / f"{name}.po"))
                missing = len(catalog.untranslated_entries())
                self.stdout.write(f"{locale}/{name}: {len(catalog)} messages, {missing} of them not translated.")


def _entry(message: Message, known: polib.POEntry | None, locale: str) -> polib.POEntry:
    entry = polib.POEntry(msgid=message.text, comment=message.place)
    if "%(" in message.text:
        entry.flags.append("python-format")
    if message.plural is None:
        entry.msgstr = known.msgstr if known else ""
        return entry
    forms = int(PLURALS[locale].split("=")[1].split(";")[0])
    entry.msgid_plural = message.plural
    entry.msgstr_plural = {form: known.msgstr_plural.get(form, "") if known else "" for form in range(forms)}
    return entry
