import type { OwnText } from '../texts.ts'

/** The URL. */
export const queries = {
  'An export has all rows, and no resources beside them: leave out {0}.':
    'Un export a toutes les lignes, et aucune autre ressource : omettez {0}.',
  'An export must not have more than {0} rows. Narrow it by a filter.':
    'Un export ne doit pas avoir plus de {0} lignes. Restreignez-le par un filtre.',
  'A search cannot stand beside a filter inside of Json, or an order that the database has no SQL for.':
    "Une recherche ne peut pas accompagner un filtre dans du Json, ni un ordre pour lequel il n'y a pas de SQL.",
  'The value of {0} must have a word to look for.': 'La valeur de {0} doit contenir un mot à chercher.',
  'Page parameter before means nothing in the order of a search.':
    "Le paramètre de page before n'a pas de sens dans l'ordre d'une recherche.",
  'A document must not be larger than {0} bytes. Ask for a smaller page, for fewer fields, or include less.':
    'Un document ne doit pas dépasser {0} octets. Demandez une page plus petite, moins de champs, ou incluez moins de ressources.',
  'A document must not have more than {0} resources and identifiers. Ask for a smaller page, or include less.':
    'Un document ne doit pas contenir plus de {0} ressources et identifiants. Demandez une page plus petite, ou incluez moins de ressources.',
  'A filter must not have more than {0} terms.': 'Un filtre ne doit pas avoir plus de {0} conditions.',
  'A filter must not have more than {0} values in one list.':
    'Un filtre ne doit pas avoir plus de {0} valeurs dans une même liste.',
  'A filter must not nest deeper than {0} levels.': 'Un filtre ne doit pas être imbriqué sur plus de {0} niveaux.',
  'A query must not have more than {0} parameters.': 'Une requête ne doit pas avoir plus de {0} paramètres.',
  'A request must not ask for more than {0} figures.': 'Une requête ne doit pas demander plus de {0} statistiques.',
  'A value of a filter must not be longer than {0} characters.':
    'Une valeur de filtre ne doit pas dépasser {0} caractères.',
  'Field {0} has no statistics.': "Le champ {0} n'a pas de statistiques.",
  'Field {0} is not countable.': "Le champ {0} n'est pas dénombrable.",
  'Filter parameter {0} is not allowed.': "Le paramètre de filtre {0} n'est pas autorisé.",
  'Filter parameter {0} takes one value.': 'Le paramètre de filtre {0} prend une seule valeur.',
  'Group parameter {0} is not allowed.': "Le paramètre de groupement {0} n'est pas autorisé.",
  'Group parameter {0} is not allowed: only instants have parts.':
    "Le paramètre de groupement {0} n'est pas autorisé : seuls les instants ont des parties.",
  'Group parameter {0} is repeated.': 'Le paramètre de groupement {0} est répété.',
  'Include path {0} is not allowed.': "Le chemin {0} n'est pas autorisé dans include.",
  'Include path {0} is not allowed: it has more than {1} relations.':
    "Le chemin {0} n'est pas autorisé dans include : il a plus de {1} relations.",
  'Invalid Query Parameter': 'Paramètre de requête non valide',
  'Name a part of the instant {0}: {1}.': "Nommez une partie de l'instant {0} : {1}.",
  'Name in groupBy what the rows are grouped by.': 'Nommez dans groupBy ce par quoi les lignes sont groupées.',
  'Name in {0} what is asked of {1}: {2}.': 'Nommez dans {0} ce qui est demandé de {1} : {2}.',
  'Page parameter size must not be greater than {0}.': 'Le paramètre de page size ne doit pas être supérieur à {0}.',
  'Page parameter {0} does not name a resource of this collection.':
    'Le paramètre de page {0} ne nomme pas une ressource de cette collection.',
  'Page parameter {0} is not a cursor of this collection in this order.':
    "Le paramètre de page {0} n'est pas un curseur de cette collection dans cet ordre.",
  'Page parameter {0} is not allowed.': "Le paramètre de page {0} n'est pas autorisé.",
  'Page parameter {0} must be a cursor.': 'Le paramètre de page {0} doit être un curseur.',
  'Page parameter {0} must be an integer of at least 1.':
    'Le paramètre de page {0} doit être un entier supérieur ou égal à 1.',
  'Page parameter {0} must be the id of a resource.': "Le paramètre de page {0} doit être l'id d'une ressource.",
  'Page parameter {0} must not be greater than {1}.': 'Le paramètre de page {0} ne doit pas être supérieur à {1}.',
  'Page parameter {0} names a resource that is not in this collection any more.':
    "Le paramètre de page {0} nomme une ressource qui n'est plus dans cette collection.",
  'Page parameters after and before must not be sent together.':
    'Les paramètres de page after et before ne doivent pas être envoyés ensemble.',
  'Parameter page is not allowed.': "Le paramètre page n'est pas autorisé.",
  'Parameter withCount is not allowed.': "Le paramètre withCount n'est pas autorisé.",
  'Parameter {0} is not allowed.': "Le paramètre {0} n'est pas autorisé.",
  'Parameter {0} is not allowed: {1} is not a to-many relation that is included.':
    "Le paramètre {0} n'est pas autorisé : {1} n'est pas une relation to-many incluse.",
  'Parameter {0} must be the same as for {1}: {2} is the same relation.':
    'Le paramètre {0} doit être le même que pour {1} : {2} est la même relation.',
  'Query parameter groupBy must not be repeated.': 'Le paramètre de requête groupBy ne doit pas être répété.',
  'Query parameter {0} is not allowed.': "Le paramètre de requête {0} n'est pas autorisé.",
  'Query parameter {0} is not percent-encoded UTF-8.':
    "Le paramètre de requête {0} n'est pas de l'UTF-8 encodé en pourcentage.",
  'Query parameter {0} must name a member, as in {1}[…].':
    'Le paramètre de requête {0} doit nommer un membre, comme dans {1}[…].',
  'Query parameter {0} must name an include path, as in {1}[…].':
    "Le paramètre de requête {0} doit nommer un chemin d'include, comme dans {1}[…].",
  'Query parameter {0} must not be repeated.': 'Le paramètre de requête {0} ne doit pas être répété.',
  'Sort parameter {0} is not allowed.': "Le paramètre de tri {0} n'est pas autorisé.",
  'Sort parameter {0} is repeated.': 'Le paramètre de tri {0} est répété.',
  'Sparse field set {0}.{1} is not allowed.': "La sélection de champs {0}.{1} n'est pas autorisée.",
  'Statistics of this type cannot be asked for beside this filter.':
    'Les statistiques de ce type ne peuvent pas être demandées avec ce filtre.',
  'The collection cannot be paged in this order.': 'La collection ne peut pas être paginée dans cet ordre.',
  'The function {0} does not fit {1}.': 'La fonction {0} ne convient pas à {1}.',
  'The function {0} is repeated.': 'La fonction {0} est répétée.',
  'The member href must be the URL of a collection, a resource or a relationship of this server, without a query.':
    "Le membre href doit être l'URL d'une collection, d'une ressource ou d'une relation de ce serveur, sans paramètres.",
  'The parameter filter must be a JSON object such as {"id":["1","2"]}.':
    'Le paramètre filter doit être un objet JSON comme {"id":["1","2"]}.',
  'The parameter groupBy must not have more than {0} keys.': 'Le paramètre groupBy ne doit pas avoir plus de {0} clés.',
  'The parameter include must not have more than {0} paths.':
    'Le paramètre include ne doit pas avoir plus de {0} chemins.',
  'The parameter sort must be a list of fields, with - before those that descend.':
    'Le paramètre sort doit être une liste de champs, avec - devant ceux qui descendent.',
  'The parameter sort must not have more than {0} fields.': 'Le paramètre sort ne doit pas avoir plus de {0} champs.',
  'More goes with this resource than one request may remove. Remove some of that first.':
    'Cette ressource entraîne plus de suppressions qu’une requête ne peut en faire. Supprimez d’abord une partie de ce qui en dépend.',
  'The request would cost too much. Change fewer links at a time.':
    'La requête coûterait trop cher. Modifiez moins de liens à la fois.',
  'The request would cost too much. Narrow it by a filter on ids, ask for a smaller page, or include less.':
    'La requête coûterait trop cher. Restreignez-la par un filtre sur les id, demandez une page plus petite, ou incluez moins de ressources.',
  'The value of {0} must be a number or a text.': 'La valeur de {0} doit être un nombre ou un texte.',
  'The value of {0} must be a number, true, false, null, or {1}.':
    'La valeur de {0} doit être un nombre, true, false, null, ou bien : {1}.',
  'The value of {0} must be a text without null characters.': 'La valeur de {0} doit être un texte sans caractère nul.',
  'The value of {0} must be an id, which {1} cannot be.':
    'La valeur de {0} doit être un id, ce que {1} ne peut pas être.',
  'The value of {0} must be true or false.': 'La valeur de {0} doit être true ou false.',
  'The value of {0} must be {1}. Write %2B for a +: it is a space otherwise.':
    'La valeur de {0} doit être : {1}. Écrivez %2B pour un +, qui sinon est une espace.',
  'The value of {0} must be {1}.': 'La valeur de {0} doit être : {1}.',
  "The value of {0} must not contain % or _, which this server's database cannot search for in Json.":
    'La valeur de {0} ne doit contenir ni % ni _, que la base de données de ce serveur ne peut pas chercher dans du Json.',
  'The {0} parameter must be with, only or without.': 'Le paramètre {0} doit être with, only ou without.',
  'There is no function {0}.': "Il n'y a pas de fonction {0}.",
  'What is included must not have more than {0} filters.': 'Ce qui est inclus ne doit pas avoir plus de {0} filtres.',
  'a UUID': 'un UUID',
  'a decimal number': 'un nombre décimal',
  'a date such as 2026-11-27': 'une date comme 2026-11-27',
  'a number': 'un nombre',
  'a text without null characters': 'un texte sans caractère nul',
  'a time such as 09:30:00': 'une heure comme 09:30:00',
  'an ISO 8601 date-time such as 2025-01-31T09:30:00Z': 'une date et heure ISO 8601 comme 2025-01-31T09:30:00Z',
  'an integer from {0} to {1}': 'un entier de {0} à {1}',
  base64: 'du base64',
  'one of {0}': 'une des valeurs {0}',
  'true or false': 'true ou false',
} as const satisfies Partial<Record<OwnText, string>>
