import type { OwnText } from '../texts.ts'

/** Documents, and what is written of them. */
export const documents = {
  'A request must not have more than {0} header fields.': "Une requête ne doit pas avoir plus de {0} champs d'en-tête.",
  'An earlier operation has the lid {0} already.': 'Une opération précédente a déjà le lid {0}.',
  'An upsert has no id: its fields say which resource it is about.':
    "Un upsert n'a pas d'id : ses champs disent de quelle ressource il s'agit.",
  'An upsert has no {0}: its data says what it is about.':
    "Un upsert n'a pas de {0} : ses données disent de quoi il s'agit.",
  'Arrays and objects must not nest deeper than {0} levels.':
    'Les tableaux et les objets ne doivent pas être imbriqués sur plus de {0} niveaux.',
  'Changes of resources of type {0} have to name the version that they are about: by If-Match, or by meta.version in an atomic operation.':
    'Les modifications de ressources du type {0} doivent nommer la version concernée : par If-Match, ou par meta.version dans une opération atomique.',
  'Invalid Header': 'En-tête non valide',
  'Invalid JSON': 'JSON non valide',
  'No earlier operation adds a resource of type {0} with the lid {1}.':
    "Aucune opération précédente n'ajoute de ressource du type {0} avec le lid {1}.",
  'Resource id {0} is not supported by this endpoint.': "L'id {0} n'est pas celui de cette URL.",
  'Resource type {0} does not support client-generated IDs.':
    "Le type de ressource {0} n'accepte pas d'id créé par le client.",
  'Resource type {0} is not recognised.': "Le type de ressource {0} n'est pas reconnu.",
  'Resource type {0} is not supported by this endpoint.': "Le type de ressource {0} n'est pas accepté par cette URL.",
  'Resource {0} already exists.': 'La ressource {0} existe déjà.',
  'Resources of type {0} cannot be created.': 'Les ressources du type {0} ne peuvent pas être créées.',
  'Resources of type {0} are still related, by {1}.': 'Des ressources du type {0} y sont encore liées, par {1}.',
  'Resources of type {0} have no version that a request could name.':
    "Les ressources du type {0} n'ont pas de version qu'une requête pourrait nommer.",
  'The change would leave a required relation without a value.':
    'La modification laisserait une relation obligatoire sans valeur.',
  'The field {0} is not a supported attribute.': "Le champ {0} n'est pas un attribut pris en charge.",
  'The field {0} is not a supported relationship.': "Le champ {0} n'est pas une relation prise en charge.",
  'The field {0} does not fit the id, of which it is a part.':
    "Le champ {0} ne correspond pas à l'id, dont il fait partie.",
  'The field {0} is part of the id, which never changes.': "Le champ {0} fait partie de l'id, qui ne change jamais.",
  'The field {0} is required: it says which resource the upsert is about.':
    "Le champ {0} est obligatoire : il dit de quelle ressource il s'agit dans l'upsert.",
  'The field {0} must be a to-many relation.': 'Le champ {0} doit être une relation to-many.',
  'The field {0} must be a to-one relation.': 'Le champ {0} doit être une relation to-one.',
  'The member by is required.': 'Le membre by est obligatoire.',
  'The member by must be a list of fields.': 'Le membre by doit être une liste de champs.',
  'The member data cannot have more than {0} items.': 'Le membre data ne peut pas avoir plus de {0} éléments.',
  '{0} Did you mean {1}?': '{0} Vouliez-vous dire {1} ?',
  'The relationship {0} cannot be changed here.': 'La relation {0} ne peut pas être modifiée ici.',
  'The member data is required.': 'Le membre data est obligatoire.',
  'The member data must be an array.': 'Le membre data doit être un tableau.',
  'The member data must be an object.': 'Le membre data doit être un objet.',
  'The member href must be a string.': 'Le membre href doit être une chaîne de caractères.',
  'The member meta must be an object.': 'Le membre meta doit être un objet.',
  'The member op is required.': 'Le membre op est obligatoire.',
  'The member op must be add, update or remove.': 'Le membre op doit être add, update ou remove.',
  'The member ref must be an object.': 'Le membre ref doit être un objet.',
  'The member ref or href is required.': 'Le membre ref ou href est obligatoire.',
  'The member relationship must be a string.': 'Le membre relationship doit être une chaîne de caractères.',
  'The member upsert must be an object.': 'Le membre upsert doit être un objet.',
  'The member version must be a string or an integer.':
    'Le membre version doit être une chaîne de caractères ou un entier.',
  'The member {0} cannot be empty.': 'Le membre {0} ne peut pas être vide.',
  'The member {0} cannot have a type field.': 'Le membre {0} ne peut pas avoir de champ type.',
  'The member {0} cannot have an id field.': 'Le membre {0} ne peut pas avoir de champ id.',
  'The member {0} cannot have more than {1} items.': 'Le membre {0} ne peut pas avoir plus de {1} éléments.',
  'The member {0} cannot stand beside {1}.': 'Le membre {0} ne peut pas accompagner {1}.',
  'The member {0} is required.': 'Le membre {0} est obligatoire.',
  'The member {0} must be a resource identifier.': 'Le membre {0} doit être un identifiant de ressource.',
  'The member {0} must be a string.': 'Le membre {0} doit être une chaîne de caractères.',
  'The member {0} must be an array.': 'Le membre {0} doit être un tableau.',
  'The member {0} must be an object.': 'Le membre {0} doit être un objet.',
  'The members id and lid exclude each other.': "Les membres id et lid s'excluent mutuellement.",
  'The members ref and href exclude each other.': "Les membres ref et href s'excluent mutuellement.",
  'The operation {0} is not supported by its target.': "L'opération {0} n'est pas prise en charge par sa cible.",
  'The operator {0} of a path into JSON cannot stand behind a to-many relation within not, nor behind every.':
    "L'opérateur {0} d'un chemin dans du JSON ne peut se trouver ni derrière une relation to-many dans not, ni derrière every.",
  'The related resource does not exist.': "La ressource liée n'existe pas.",
  'The related resource lacks the value by which it is related.':
    'Il manque à la ressource liée la valeur par laquelle elle est liée.',
  'The request body is not valid JSON.': "Le corps de la requête n'est pas du JSON valide.",
  'The resource is in conflict with another one.': 'La ressource est en conflit avec une autre.',
  'The resource is not at the version that the request names: read it again before you change it.':
    "La ressource n'est pas à la version nommée par la requête : relisez-la avant de la modifier.",
  'The resource is still related to others, or names one that is gone.':
    "La ressource est encore liée à d'autres, ou en nomme une qui n'existe plus.",
  'The resource is what If-None-Match rules out.': 'La ressource est ce que If-None-Match exclut.',
  'The resource lacks the value by which its {0} are related to it.':
    'Il manque à la ressource la valeur par laquelle ses {0} lui sont liés.',
  'The server has no resource type {0}.': "Le serveur n'a pas de type de ressource {0}.",
  'The {0} of the {1} relation cannot be moved: their ids, or other relations, tie them.':
    "Les {0} de la relation {1} ne peuvent pas être déplacés : leurs id ou d'autres relations les lient.",
  'The {0} of the {1} relation cannot be without it, so they cannot be detached.':
    'Les {0} de la relation {1} ne peuvent pas exister sans elle, ils ne peuvent donc pas être détachés.',
  'The {0} relationship cannot be modified.': 'La relation {0} ne peut pas être modifiée.',
  'You may not change the field {0}.': "Vous n'avez pas le droit de modifier le champ {0}.",
  'You may not change the {0} of {1} {2}.': "Vous n'avez pas le droit de modifier {0} de {1} {2}.",
  'You may not change {0} {1}.': "Vous n'avez pas le droit de modifier {0} {1}.",
  'You may not create resources of type {0}.': "Vous n'avez pas le droit de créer des ressources du type {0}.",
  'You may not delete {0} {1}.': "Vous n'avez pas le droit de supprimer {0} {1}.",
} as const satisfies Partial<Record<OwnText, string>>
