import type { OwnText } from '../texts.ts'

/** Rules of validation. */
export const rules = {
  'The {0} field': 'Das Feld {0}',
  'The {0} field can only be set to null, which restores the resource.':
    'Das Feld {0} kann nur auf null gesetzt werden, was die Ressource wiederherstellt.',
  'The {0} field cannot exist as an attribute and a relationship.':
    'Das Feld {0} kann nicht zugleich Attribut und Beziehung sein.',
  'The {0} field confirmation does not match.': 'Die Bestätigung des Feldes {0} stimmt nicht überein.',
  'The {0} field is invalid.': 'Das Feld {0} ist ungültig.',
  'The {0} field is not supported.': 'Das Feld {0} wird nicht unterstützt.',
  'The {0} field is required when {1} is present.': 'Das Feld {0} ist erforderlich, wenn {1} vorhanden ist.',
  'The {0} field is required.': 'Das Feld {0} ist erforderlich.',
  'The {0} field must be a 64-bit integer, written as a string.':
    'Das Feld {0} muss eine 64-Bit-Ganzzahl sein, geschrieben als Zeichenkette.',
  'The {0} field must be a base64 string.': 'Das Feld {0} muss eine Base64-Zeichenkette sein.',
  'The {0} field must be a boolean.': 'Das Feld {0} muss ein Wahrheitswert sein.',
  'The {0} field must be a date such as 2026-11-27.': '{0} muss ein Datum wie 2026-11-27 sein.',
  'The {0} field must be a decimal number, written as a string.':
    'Das Feld {0} muss eine Dezimalzahl sein, geschrieben als Zeichenkette.',
  'The {0} field must be a number.': 'Das Feld {0} muss eine Zahl sein.',
  'The {0} field must be a string.': 'Das Feld {0} muss eine Zeichenkette sein.',
  'The {0} field must be a time such as 09:30:00.': '{0} muss eine Uhrzeit wie 09:30:00 sein.',
  'The {0} field must be a to-many relationship containing {1} resources.':
    'Das Feld {0} muss eine To-many-Beziehung mit Ressourcen des Typs {1} sein.',
  'The {0} field must be a to-one relationship containing {1} resources.':
    'Das Feld {0} muss eine To-one-Beziehung mit einer Ressource des Typs {1} sein.',
  'The {0} field must be a valid URL.': 'Das Feld {0} muss eine gültige URL sein.',
  'The {0} field must be a valid UUID.': 'Das Feld {0} muss eine gültige UUID sein.',
  'The {0} field must be a valid email address.': 'Das Feld {0} muss eine gültige E-Mail-Adresse sein.',
  'The {0} field must be a value that can be stored exactly.':
    'Das Feld {0} muss ein Wert sein, der genau gespeichert werden kann.',
  'The {0} field must be an array.': 'Das Feld {0} muss eine Liste sein.',
  'The {0} field must be an integer.': 'Das Feld {0} muss eine ganze Zahl sein.',
  'The {0} field must be an object.': 'Das Feld {0} muss ein Objekt sein.',
  'The {0} field must be at least {1} characters.': 'Das Feld {0} muss mindestens {1} Zeichen lang sein.',
  'The {0} field must be at least {1}.': 'Das Feld {0} muss mindestens {1} sein.',
  'The {0} field must be exactly {1} characters.': 'Das Feld {0} muss genau {1} Zeichen lang sein.',
  'The {0} field must be exactly {1}.': 'Das Feld {0} muss genau {1} sein.',
  'The {0} field must be greater than 0.': '{0} muss größer als 0 sein.',
  'The {0} field must be in the future.': 'Das Feld {0} muss in der Zukunft liegen.',
  'The {0} field must be one of {1}.': 'Das Feld {0} muss einer der folgenden Werte sein: {1}.',
  'The {0} field must have at least {1} items.': 'Das Feld {0} muss mindestens {1} Einträge haben.',
  'The {0} field must have exactly {1} items.': 'Das Feld {0} muss genau {1} Einträge haben.',
  'The {0} field must match {1}.': 'Das Feld {0} muss mit {1} übereinstimmen.',
  'The {0} field must not be greater than {1} characters.': 'Das Feld {0} darf nicht länger als {1} Zeichen sein.',
  'The {0} field must not be greater than {1}.': 'Das Feld {0} darf nicht größer als {1} sein.',
  'The {0} field must not be null.': 'Das Feld {0} darf nicht null sein.',
  'The {0} field must not contain characters that cannot be stored.':
    'Das Feld {0} darf keine Zeichen enthalten, die nicht gespeichert werden können.',
  'The {0} field must not have more than {1} digits before and {2} behind the point.':
    'Das Feld {0} darf nicht mehr als {1} Stellen vor und {2} hinter dem Dezimalpunkt haben.',
  'The {0} field must not have more than {1} digits behind the point.':
    '{0} darf höchstens {1} Nachkommastellen haben.',
  'The {0} field must not have more than {1} digits.': 'Das Feld {0} darf nicht mehr als {1} Stellen haben.',
  'The {0} field must not have more than {1} items.': 'Das Feld {0} darf nicht mehr als {1} Einträge haben.',
  'The {0} format is invalid.': 'Das Format von {0} ist ungültig.',
  'The {0} has already been taken.': '{0} ist bereits vergeben.',
  'The {0} is not a valid ISO 8601 date and time.': '{0} ist kein gültiger Zeitpunkt nach ISO 8601.',
  'The {0} relation': 'Die Beziehung {0}',
  '{0} does not fit another one.': '{0} passt nicht zu einem anderen Wert.',
  '{0} does not fit the {1} relation.': '{0} passt nicht zur Beziehung {1}.',
  'The {0} field is no part of an id.': 'Das Feld {0} kann kein Teil einer id sein.',
  '{0} would change the id of the resource.': '{0} würde die id der Ressource ändern.',
} as const satisfies Partial<Record<OwnText, string>>
