import type { OwnText } from '../texts.ts'

/** Rules of validation. */
export const rules = {
  'The {0} field': 'Le champ {0}',
  'The {0} field can only be set to null, which restores the resource.':
    "Le champ {0} ne peut être mis qu'à null, ce qui restaure la ressource.",
  'The {0} field cannot exist as an attribute and a relationship.':
    'Le champ {0} ne peut pas être à la fois un attribut et une relation.',
  'The {0} field confirmation does not match.': 'La confirmation du champ {0} ne correspond pas.',
  'The {0} field is invalid.': "Le champ {0} n'est pas valide.",
  'The {0} field is not supported.': "Le champ {0} n'est pas pris en charge.",
  'The {0} field is required when {1} is present.': 'Le champ {0} est obligatoire quand {1} est présent.',
  'The {0} field is required.': 'Le champ {0} est obligatoire.',
  'The {0} field must be a 64-bit integer, written as a string.':
    'Le champ {0} doit être un entier de 64 bits, écrit comme chaîne de caractères.',
  'The {0} field must be a base64 string.': 'Le champ {0} doit être une chaîne en base64.',
  'The {0} field must be a boolean.': 'Le champ {0} doit être un booléen.',
  'The {0} field must be a date such as 2026-11-27.': '{0} doit être une date comme 2026-11-27.',
  'The {0} field must be a decimal number, written as a string.':
    'Le champ {0} doit être un nombre décimal, écrit comme chaîne de caractères.',
  'The {0} field must be a number.': 'Le champ {0} doit être un nombre.',
  'The {0} field must be a string.': 'Le champ {0} doit être une chaîne de caractères.',
  'The {0} field must be a time such as 09:30:00.': '{0} doit être une heure comme 09:30:00.',
  'The {0} field must be a to-many relationship containing {1} resources.':
    'Le champ {0} doit être une relation to-many avec des ressources du type {1}.',
  'The {0} field must be a to-one relationship containing {1} resources.':
    'Le champ {0} doit être une relation to-one avec une ressource du type {1}.',
  'The {0} field must be a valid URL.': 'Le champ {0} doit être une URL valide.',
  'The {0} field must be a valid UUID.': 'Le champ {0} doit être un UUID valide.',
  'The {0} field must be a valid email address.': 'Le champ {0} doit être une adresse e-mail valide.',
  'The {0} field must be a value that can be stored exactly.':
    'Le champ {0} doit être une valeur qui peut être enregistrée exactement.',
  'The {0} field must be an array.': 'Le champ {0} doit être un tableau.',
  'The {0} field must be an integer.': 'Le champ {0} doit être un entier.',
  'The {0} field must be an object.': 'Le champ {0} doit être un objet.',
  'The {0} field must be at least {1} characters.': 'Le champ {0} doit avoir au moins {1} caractères.',
  'The {0} field must be at least {1}.': 'Le champ {0} doit être au moins {1}.',
  'The {0} field must be exactly {1} characters.': 'Le champ {0} doit avoir exactement {1} caractères.',
  'The {0} field must be exactly {1}.': 'Le champ {0} doit être exactement {1}.',
  'The {0} field must be greater than 0.': '{0} doit être supérieur à 0.',
  'The {0} field must be in the future.': 'Le champ {0} doit être dans le futur.',
  'The {0} field must be one of {1}.': 'Le champ {0} doit être une des valeurs suivantes : {1}.',
  'The {0} field must have at least {1} items.': 'Le champ {0} doit avoir au moins {1} éléments.',
  'The {0} field must have exactly {1} items.': 'Le champ {0} doit avoir exactement {1} éléments.',
  'The {0} field must match {1}.': 'Le champ {0} doit correspondre à {1}.',
  'The {0} field must not be greater than {1} characters.': 'Le champ {0} ne doit pas dépasser {1} caractères.',
  'The {0} field must not be greater than {1}.': 'Le champ {0} ne doit pas être supérieur à {1}.',
  'The {0} field must not be null.': 'Le champ {0} ne doit pas être null.',
  'The {0} field must not contain characters that cannot be stored.':
    'Le champ {0} ne doit pas contenir de caractères qui ne peuvent pas être enregistrés.',
  'The {0} field must not have more than {1} digits before and {2} behind the point.':
    'Le champ {0} ne doit pas avoir plus de {1} chiffres avant et {2} après la virgule.',
  'The {0} field must not have more than {1} digits behind the point.':
    '{0} ne doit pas avoir plus de {1} chiffres après la virgule.',
  'The {0} field must not have more than {1} digits.': 'Le champ {0} ne doit pas avoir plus de {1} chiffres.',
  'The {0} field must not have more than {1} items.': 'Le champ {0} ne doit pas avoir plus de {1} éléments.',
  'The {0} format is invalid.': "Le format de {0} n'est pas valide.",
  'The {0} has already been taken.': 'La valeur de {0} est déjà prise.',
  'The {0} is not a valid ISO 8601 date and time.': "La valeur de {0} n'est pas une date et heure ISO 8601 valide.",
  'The {0} relation': 'La relation {0}',
  '{0} does not fit another one.': '{0} ne convient pas à une autre valeur.',
  '{0} does not fit the {1} relation.': '{0} ne convient pas à la relation {1}.',
  'The {0} field is no part of an id.': "Le champ {0} ne peut pas faire partie d'une id.",
  '{0} would change the id of the resource.': "{0} changerait l'id de la ressource.",
} as const satisfies Partial<Record<OwnText, string>>
