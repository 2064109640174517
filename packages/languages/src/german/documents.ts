import type { OwnText } from '../texts.ts'

/** Documents, and what is written of them. */
export const documents = {
  'A request must not have more than {0} header fields.': 'Eine Anfrage darf nicht mehr als {0} Kopfzeilen haben.',
  'An earlier operation has the lid {0} already.': 'Eine frühere Operation hat bereits die lid {0}.',
  'An upsert has no id: its fields say which resource it is about.':
    'Ein Upsert hat keine id: Seine Felder sagen, um welche Ressource es geht.',
  'An upsert has no {0}: its data says what it is about.': 'Ein Upsert hat kein {0}: Seine Daten sagen, worum es geht.',
  'Arrays and objects must not nest deeper than {0} levels.':
    'Listen und Objekte dürfen nicht tiefer als {0} Ebenen verschachtelt sein.',
  'Changes of resources of type {0} have to name the version that they are about: by If-Match, or by meta.version in an atomic operation.':
    'Änderungen von Ressourcen des Typs {0} müssen die Version nennen, um die es geht: mit If-Match oder mit meta.version in einer atomaren Operation.',
  'Invalid Header': 'Ungültige Kopfzeile',
  'Invalid JSON': 'Ungültiges JSON',
  'No earlier operation adds a resource of type {0} with the lid {1}.':
    'Keine frühere Operation fügt eine Ressource des Typs {0} mit der lid {1} hinzu.',
  'Resource id {0} is not supported by this endpoint.': 'Die id {0} passt nicht zu dieser URL.',
  'Resource type {0} does not support client-generated IDs.': 'Der Ressourcentyp {0} nimmt keine ids des Clients an.',
  'Resource type {0} is not recognised.': 'Der Ressourcentyp {0} ist nicht bekannt.',
  'Resource type {0} is not supported by this endpoint.': 'Der Ressourcentyp {0} passt nicht zu dieser URL.',
  'Resource {0} already exists.': 'Die Ressource {0} existiert bereits.',
  'Resources of type {0} cannot be created.': 'Ressourcen des Typs {0} können nicht angelegt werden.',
  'Resources of type {0} are still related, by {1}.':
    'Es gibt noch Ressourcen des Typs {0}, die damit verbunden sind, durch {1}.',
  'Resources of type {0} have no version that a request could name.':
    'Ressourcen des Typs {0} haben keine Version, die eine Anfrage nennen könnte.',
  'The change would leave a required relation without a value.':
    'Nach der Änderung hätte eine erforderliche Beziehung keinen Wert mehr.',
  'The field {0} is not a supported attribute.': 'Das Feld {0} ist kein unterstütztes Attribut.',
  'The field {0} is not a supported relationship.': 'Das Feld {0} ist keine unterstützte Beziehung.',
  '{0} Did you mean {1}?': '{0} Ist {1} gemeint?',
  'The field {0} does not fit the id, of which it is a part.': 'Das Feld {0} passt nicht zur id, deren Teil es ist.',
  'The field {0} is part of the id, which never changes.': 'Das Feld {0} ist Teil der id, die sich nie ändert.',
  'The field {0} is required: it says which resource the upsert is about.':
    'Das Feld {0} ist erforderlich: Es sagt, um welche Ressource es beim Upsert geht.',
  'The field {0} must be a to-many relation.': 'Das Feld {0} muss eine To-many-Beziehung sein.',
  'The field {0} must be a to-one relation.': 'Das Feld {0} muss eine To-one-Beziehung sein.',
  'The member by is required.': 'Das Element by ist erforderlich.',
  'The member by must be a list of fields.': 'Das Element by muss eine Liste von Feldern sein.',
  'The member data cannot have more than {0} items.': 'Das Element data darf nicht mehr als {0} Einträge haben.',
  'The relationship {0} cannot be changed here.': 'Die Beziehung {0} kann hier nicht geändert werden.',
  'The member data is required.': 'Das Element data ist erforderlich.',
  'The member data must be an array.': 'Das Element data muss eine Liste sein.',
  'The member data must be an object.': 'Das Element data muss ein Objekt sein.',
  'The member href must be a string.': 'Das Element href muss eine Zeichenkette sein.',
  'The member meta must be an object.': 'Das Element meta muss ein Objekt sein.',
  'The member op is required.': 'Das Element op ist erforderlich.',
  'The member op must be add, update or remove.': 'Das Element op muss add, update oder remove sein.',
  'The member ref must be an object.': 'Das Element ref muss ein Objekt sein.',
  'The member ref or href is required.': 'Das Element ref oder href ist erforderlich.',
  'The member relationship must be a string.': 'Das Element relationship muss eine Zeichenkette sein.',
  'The member upsert must be an object.': 'Das Element upsert muss ein Objekt sein.',
  'The member version must be a string or an integer.':
    'Das Element version muss eine Zeichenkette oder eine ganze Zahl sein.',
  'The member {0} cannot be empty.': 'Das Element {0} darf nicht leer sein.',
  'The member {0} cannot have a type field.': 'Das Element {0} darf kein Feld type haben.',
  'The member {0} cannot have an id field.': 'Das Element {0} darf kein Feld id haben.',
  'The member {0} cannot have more than {1} items.': 'Das Element {0} darf nicht mehr als {1} Einträge haben.',
  'The member {0} cannot stand beside {1}.': 'Das Element {0} darf nicht neben {1} stehen.',
  'The member {0} is required.': 'Das Element {0} ist erforderlich.',
  'The member {0} must be a resource identifier.': 'Das Element {0} muss ein Ressourcenbezeichner sein.',
  'The member {0} must be a string.': 'Das Element {0} muss eine Zeichenkette sein.',
  'The member {0} must be an array.': 'Das Element {0} muss eine Liste sein.',
  'The member {0} must be an object.': 'Das Element {0} muss ein Objekt sein.',
  'The members id and lid exclude each other.': 'Die Elemente id und lid schließen einander aus.',
  'The members ref and href exclude each other.': 'Die Elemente ref und href schließen einander aus.',
  'The operation {0} is not supported by its target.': 'Die Operation {0} wird von ihrem Ziel nicht unterstützt.',
  'The operator {0} of a path into JSON cannot stand behind a to-many relation within not, nor behind every.':
    'Der Operator {0} eines Pfads in JSON darf weder innerhalb von not hinter einer To-many-Beziehung noch hinter every stehen.',
  'The related resource does not exist.': 'Die verknüpfte Ressource existiert nicht.',
  'The related resource lacks the value by which it is related.':
    'Der verknüpften Ressource fehlt der Wert, über den sie verknüpft ist.',
  'The request body is not valid JSON.': 'Der Inhalt der Anfrage ist kein gültiges JSON.',
  'The resource is in conflict with another one.': 'Die Ressource steht im Konflikt mit einer anderen.',
  'The resource is not at the version that the request names: read it again before you change it.':
    'Die Ressource ist nicht auf dem Stand der Version, die die Anfrage nennt: Lesen Sie sie neu, bevor Sie sie ändern.',
  'The resource is still related to others, or names one that is gone.':
    'Die Ressource ist noch mit anderen verknüpft oder nennt eine, die es nicht mehr gibt.',
  'The resource is what If-None-Match rules out.': 'Die Ressource ist das, was If-None-Match ausschließt.',
  'The resource lacks the value by which its {0} are related to it.':
    'Der Ressource fehlt der Wert, über den {0} mit ihr verknüpft sind.',
  'The server has no resource type {0}.': 'Der Server hat keinen Ressourcentyp {0}.',
  'The {0} of the {1} relation cannot be moved: their ids, or other relations, tie them.':
    'Die {0} der Beziehung {1} können nicht verschoben werden: Ihre ids oder andere Beziehungen binden sie.',
  'The {0} of the {1} relation cannot be without it, so they cannot be detached.':
    'Die {0} der Beziehung {1} können nicht ohne sie sein und deshalb nicht gelöst werden.',
  'The {0} relationship cannot be modified.': 'Die Beziehung {0} kann nicht geändert werden.',
  'You may not change the field {0}.': 'Sie dürfen das Feld {0} nicht ändern.',
  'You may not change the {0} of {1} {2}.': 'Sie dürfen {0} von {1} {2} nicht ändern.',
  'You may not change {0} {1}.': 'Sie dürfen {0} {1} nicht ändern.',
  'You may not create resources of type {0}.': 'Sie dürfen keine Ressourcen des Typs {0} anlegen.',
  'You may not delete {0} {1}.': 'Sie dürfen {0} {1} nicht löschen.',
} as const satisfies Partial<Record<OwnText, string>>
