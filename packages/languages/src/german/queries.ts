import type { OwnText } from '../texts.ts'

/** The URL. */
export const queries = {
  'An export has all rows, and no resources beside them: leave out {0}.':
    'Ein Export hat alle Zeilen und keine weiteren Ressourcen: Lassen Sie {0} weg.',
  'An export must not have more than {0} rows. Narrow it by a filter.':
    'Ein Export darf höchstens {0} Zeilen haben. Grenzen Sie ihn durch einen Filter ein.',
  'A search cannot stand beside a filter inside of Json, or an order that the database has no SQL for.':
    'Eine Suche kann nicht neben einem Filter in Json stehen, und nicht neben einer Reihenfolge, für die es kein SQL gibt.',
  'The value of {0} must have a word to look for.': 'Der Wert von {0} muss ein Wort haben, nach dem gesucht wird.',
  'Page parameter before means nothing in the order of a search.':
    'Der Seitenparameter before bedeutet in der Reihenfolge einer Suche nichts.',
  'A document must not be larger than {0} bytes. Ask for a smaller page, for fewer fields, or include less.':
    'Ein Dokument darf nicht größer als {0} Bytes sein. Verlangen Sie eine kleinere Seite, weniger Felder, oder schließen Sie weniger ein.',
  'A document must not have more than {0} resources and identifiers. Ask for a smaller page, or include less.':
    'Ein Dokument darf nicht mehr als {0} Ressourcen und Bezeichner haben. Verlangen Sie eine kleinere Seite, oder schließen Sie weniger ein.',
  'A filter must not have more than {0} terms.': 'Ein Filter darf nicht mehr als {0} Bedingungen haben.',
  'A filter must not have more than {0} values in one list.':
    'Ein Filter darf nicht mehr als {0} Werte in einer Liste haben.',
  'A filter must not nest deeper than {0} levels.': 'Ein Filter darf nicht tiefer als {0} Ebenen verschachtelt sein.',
  'A query must not have more than {0} parameters.': 'Eine Abfrage darf nicht mehr als {0} Parameter haben.',
  'A request must not ask for more than {0} figures.': 'Eine Anfrage darf nicht mehr als {0} Kennzahlen verlangen.',
  'A value of a filter must not be longer than {0} characters.':
    'Ein Wert eines Filters darf nicht länger als {0} Zeichen sein.',
  'Field {0} has no statistics.': 'Das Feld {0} hat keine Statistiken.',
  'Field {0} is not countable.': 'Das Feld {0} ist nicht zählbar.',
  'Filter parameter {0} is not allowed.': 'Der Filterparameter {0} ist nicht zulässig.',
  'Filter parameter {0} takes one value.': 'Der Filterparameter {0} nimmt einen einzigen Wert.',
  'Group parameter {0} is not allowed.': 'Der Gruppierungsparameter {0} ist nicht zulässig.',
  'Group parameter {0} is not allowed: only instants have parts.':
    'Der Gruppierungsparameter {0} ist nicht zulässig: Nur Zeitpunkte haben Teile.',
  'Group parameter {0} is repeated.': 'Der Gruppierungsparameter {0} kommt mehrfach vor.',
  'Include path {0} is not allowed.': 'Der Pfad {0} ist in include nicht zulässig.',
  'Include path {0} is not allowed: it has more than {1} relations.':
    'Der Pfad {0} ist in include nicht zulässig: Er hat mehr als {1} Beziehungen.',
  'Invalid Query Parameter': 'Ungültiger Abfrageparameter',
  'Name a part of the instant {0}: {1}.': 'Nennen Sie einen Teil des Zeitpunkts {0}: {1}.',
  'Name in groupBy what the rows are grouped by.': 'Nennen Sie in groupBy, wonach die Zeilen gruppiert werden.',
  'Name in {0} what is asked of {1}: {2}.': 'Nennen Sie in {0}, was von {1} verlangt wird: {2}.',
  'Page parameter size must not be greater than {0}.': 'Der Seitenparameter size darf nicht größer als {0} sein.',
  'Page parameter {0} does not name a resource of this collection.':
    'Der Seitenparameter {0} nennt keine Ressource dieser Sammlung.',
  'Page parameter {0} is not a cursor of this collection in this order.':
    'Der Seitenparameter {0} ist kein Cursor dieser Sammlung in dieser Reihenfolge.',
  'Page parameter {0} is not allowed.': 'Der Seitenparameter {0} ist nicht zulässig.',
  'Page parameter {0} must be a cursor.': 'Der Seitenparameter {0} muss ein Cursor sein.',
  'Page parameter {0} must be an integer of at least 1.':
    'Der Seitenparameter {0} muss eine ganze Zahl und mindestens 1 sein.',
  'Page parameter {0} must be the id of a resource.': 'Der Seitenparameter {0} muss die id einer Ressource sein.',
  'Page parameter {0} must not be greater than {1}.': 'Der Seitenparameter {0} darf nicht größer als {1} sein.',
  'Page parameter {0} names a resource that is not in this collection any more.':
    'Der Seitenparameter {0} nennt eine Ressource, die nicht mehr in dieser Sammlung ist.',
  'Page parameters after and before must not be sent together.':
    'Die Seitenparameter after und before dürfen nicht zusammen gesendet werden.',
  'Parameter page is not allowed.': 'Der Parameter page ist nicht zulässig.',
  'Parameter withCount is not allowed.': 'Der Parameter withCount ist nicht zulässig.',
  'Parameter {0} is not allowed.': 'Der Parameter {0} ist nicht zulässig.',
  'Parameter {0} is not allowed: {1} is not a to-many relation that is included.':
    'Der Parameter {0} ist nicht zulässig: {1} ist keine eingeschlossene To-many-Beziehung.',
  'Parameter {0} must be the same as for {1}: {2} is the same relation.':
    'Der Parameter {0} muss derselbe sein wie für {1}: {2} ist dieselbe Beziehung.',
  'Query parameter groupBy must not be repeated.': 'Der Abfrageparameter groupBy darf nicht mehrfach vorkommen.',
  'Query parameter {0} is not allowed.': 'Der Abfrageparameter {0} ist nicht zulässig.',
  'Query parameter {0} is not percent-encoded UTF-8.': 'Der Abfrageparameter {0} ist kein prozentkodiertes UTF-8.',
  'Query parameter {0} must name a member, as in {1}[…].':
    'Der Abfrageparameter {0} muss ein Element nennen, wie in {1}[…].',
  'Query parameter {0} must name an include path, as in {1}[…].':
    'Der Abfrageparameter {0} muss einen Pfad von include nennen, wie in {1}[…].',
  'Query parameter {0} must not be repeated.': 'Der Abfrageparameter {0} darf nicht mehrfach vorkommen.',
  'Sort parameter {0} is not allowed.': 'Der Sortierparameter {0} ist nicht zulässig.',
  'Sort parameter {0} is repeated.': 'Der Sortierparameter {0} kommt mehrfach vor.',
  'Sparse field set {0}.{1} is not allowed.': 'Die Feldauswahl {0}.{1} ist nicht zulässig.',
  'Statistics of this type cannot be asked for beside this filter.':
    'Statistiken dieses Typs können nicht zusammen mit diesem Filter verlangt werden.',
  'The collection cannot be paged in this order.':
    'Die Sammlung kann in dieser Reihenfolge nicht seitenweise gelesen werden.',
  'The function {0} does not fit {1}.': 'Die Funktion {0} passt nicht zu {1}.',
  'The function {0} is repeated.': 'Die Funktion {0} kommt mehrfach vor.',
  'The member href must be the URL of a collection, a resource or a relationship of this server, without a query.':
    'Das Element href muss die URL einer Sammlung, einer Ressource oder einer Beziehung dieses Servers sein, ohne Abfrageparameter.',
  'The parameter filter must be a JSON object such as {"id":["1","2"]}.':
    'Der Parameter filter muss ein JSON-Objekt wie {"id":["1","2"]} sein.',
  'The parameter groupBy must not have more than {0} keys.':
    'Der Parameter groupBy darf nicht mehr als {0} Schlüssel haben.',
  'The parameter include must not have more than {0} paths.':
    'Der Parameter include darf nicht mehr als {0} Pfade haben.',
  'The parameter sort must be a list of fields, with - before those that descend.':
    'Der Parameter sort muss eine Liste von Feldern sein, mit - vor denen, die absteigen.',
  'The parameter sort must not have more than {0} fields.': 'Der Parameter sort darf nicht mehr als {0} Felder haben.',
  'More goes with this resource than one request may remove. Remove some of that first.':
    'Mit dieser Ressource verschwindet mehr, als eine Anfrage entfernen darf. Entfernen Sie zuerst einen Teil davon.',
  'The request would cost too much. Change fewer links at a time.':
    'Die Anfrage wäre zu aufwendig. Ändern Sie weniger Verknüpfungen auf einmal.',
  'The request would cost too much. Narrow it by a filter on ids, ask for a smaller page, or include less.':
    'Die Anfrage wäre zu aufwendig. Grenzen Sie sie durch einen Filter nach ids ein, verlangen Sie eine kleinere Seite, oder schließen Sie weniger ein.',
  'The value of {0} must be a number or a text.': 'Der Wert von {0} muss eine Zahl oder ein Text sein.',
  'The value of {0} must be a number, true, false, null, or {1}.':
    'Der Wert von {0} muss eine Zahl, true, false, null oder Folgendes sein: {1}.',
  'The value of {0} must be a text without null characters.': 'Der Wert von {0} muss ein Text ohne Nullzeichen sein.',
  'The value of {0} must be an id, which {1} cannot be.':
    'Der Wert von {0} muss eine id sein, was {1} nicht sein kann.',
  'The value of {0} must be true or false.': 'Der Wert von {0} muss true oder false sein.',
  'The value of {0} must be {1}. Write %2B for a +: it is a space otherwise.':
    'Der Wert von {0} muss Folgendes sein: {1}. Schreiben Sie %2B für ein +, das sonst ein Leerzeichen ist.',
  'The value of {0} must be {1}.': 'Der Wert von {0} muss Folgendes sein: {1}.',
  "The value of {0} must not contain % or _, which this server's database cannot search for in Json.":
    'Der Wert von {0} darf weder % noch _ enthalten, wonach die Datenbank dieses Servers in Json nicht suchen kann.',
  'The {0} parameter must be with, only or without.': 'Der Parameter {0} muss with, only oder without sein.',
  'There is no function {0}.': 'Es gibt keine Funktion {0}.',
  'What is included must not have more than {0} filters.':
    'Was eingeschlossen wird, darf nicht mehr als {0} Filter haben.',
  'a UUID': 'eine UUID',
  'a decimal number': 'eine Dezimalzahl',
  'a date such as 2026-11-27': 'ein Datum wie 2026-11-27',
  'a number': 'eine Zahl',
  'a text without null characters': 'ein Text ohne Nullzeichen',
  'a time such as 09:30:00': 'eine Uhrzeit wie 09:30:00',
  'an ISO 8601 date-time such as 2025-01-31T09:30:00Z': 'ein Zeitpunkt nach ISO 8601 wie 2025-01-31T09:30:00Z',
  'an integer from {0} to {1}': 'eine ganze Zahl von {0} bis {1}',
  base64: 'Base64',
  'one of {0}': 'einer der Werte {0}',
  'true or false': 'true oder false',
} as const satisfies Partial<Record<OwnText, string>>
