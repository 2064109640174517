import type { OwnText } from '../texts.ts'

/** What HTTP says of requests: the titles of errors among it. */
export const requests = {
  'Connect an agent': 'Connecter un agent',
  'An agent may do what you may do. Give it this URL, and a token of yours:':
    'Un agent peut faire ce que vous pouvez faire. Donnez-lui cette URL et un de vos jetons :',
  'Clients that sign in by themselves, such as ChatGPT and Claude on the web, need the URL alone.':
    'Les clients qui se connectent eux-mêmes, comme ChatGPT et Claude sur le web, n’ont besoin que de l’URL.',
  'Name one resource by id, or several by ids.': 'Indiquez une ressource par id, ou plusieurs par ids.',
  'Page parameter after is not a cursor of this collection in this order.':
    'Le paramètre de page after n’est pas un curseur de cette collection dans cet ordre.',
  "Pages of this origin may not use agents' tools.":
    'Les pages de cette origine ne peuvent pas utiliser les outils des agents.',
  'Send one message in each request.': 'Envoyez un seul message par requête.',
  'The argument {0} is nested too deeply.': 'L’argument {0} est imbriqué trop profondément.',
  'The argument {0} {1}.': 'L’argument {0} : {1}.',
  'The arguments {0}.': 'Les arguments : {0}.',
  'The requestState is over, or belongs to another call. Call the tool again without it.':
    'Le requestState a expiré ou appartient à un autre appel. Appelez l’outil de nouveau sans lui.',
  'The user did not confirm it. Nothing was changed.': 'L’utilisateur ne l’a pas confirmé. Rien n’a été modifié.',
  'There is no type {0} that you may use.': 'Il n’existe aucun type {0} que vous puissiez utiliser.',
  'To list related resources, name a resource by id, and its relation.':
    'Pour lister des ressources liées, indiquez une ressource par id, et sa relation.',
  'A number is out of range.': 'Un nombre est hors limites.',
  'A request with this Idempotency-Key is still being carried out.':
    "Une requête avec cet Idempotency-Key est encore en cours d'exécution.",
  'A value is too long or out of range.': 'Une valeur est trop longue ou hors limites.',
  'Bad Gateway': 'Mauvaise passerelle',
  'Bad Request': 'Requête incorrecte',
  'Bandwidth Limit Exceeded': 'Bande passante dépassée',
  'Choose at least one row.': 'Choisissez au moins une ligne.',
  'Choose at most {0} rows.': 'Choisissez au plus {0} lignes.',
  Conflict: 'Conflit',
  'Expectation Failed': 'Attente non satisfaite',
  'Expecting JSON to decode to an object.': 'Le contenu doit être un objet JSON.',
  'Expecting JSON to decode.': 'Le corps de la requête doit être du JSON.',
  'Expecting a form.': 'Un formulaire est attendu.',
  'Failed Dependency': "Échec d'une dépendance",
  Forbidden: 'Interdit',
  'Gateway Timeout': 'Délai de la passerelle dépassé',
  Gone: 'Ressource disparue',
  'HTTP Version Not Supported': 'Version HTTP non prise en charge',
  "I'm a Teapot": 'Je suis une théière',
  'Insufficient Storage': 'Espace de stockage insuffisant',
  'Internal Server Error': 'Erreur interne du serveur',
  'Length Required': 'Longueur requise',
  Locked: 'Verrouillé',
  'Loop Detected': 'Boucle détectée',
  'Method Not Allowed': 'Méthode non autorisée',
  'Misdirected Request': 'Requête mal dirigée',
  'Network Authentication Required': 'Authentification réseau requise',
  'No page has this form.': "Aucune page n'a ce formulaire.",
  'No unique key of {0} consists of {1}.': "Aucune clé unique de {0} n'est composée de {1}.",
  'Non-Compliant JSON:API Document': 'Document JSON:API non conforme',
  'Not Acceptable': 'Non acceptable',
  'Not Deletable': 'Suppression impossible',
  'Not Extended': 'Extension requise',
  'Not Found': 'Introuvable',
  'Not Implemented': 'Non implémenté',
  'Not Supported': 'Non pris en charge',
  'Only pages of this server ask for that.': 'Seules les pages de ce serveur peuvent demander cela.',
  'Payload Too Large': 'Contenu trop volumineux',
  'Payment Required': 'Paiement requis',
  'Precondition Failed': 'Échec de la précondition',
  'Precondition Required': 'Précondition requise',
  'Proxy Authentication Required': 'Authentification auprès du proxy requise',
  'Range Not Satisfiable': 'Plage impossible à satisfaire',
  'Request Header Fields Too Large': 'En-têtes de requête trop volumineux',
  'Request Timeout': 'Délai de la requête dépassé',
  'Send the key in Authorization. URLs are kept in logs: revoke this key.':
    'Envoyez la clé dans Authorization. Les URL restent dans les journaux : révoquez cette clé.',
  'Service Unavailable': 'Service indisponible',
  'The Idempotency-Key header must be 1 to 255 visible ASCII characters.':
    "L'en-tête Idempotency-Key doit avoir de 1 à 255 caractères ASCII visibles.",
  'The URL is too long.': "L'URL est trop longue.",
  'The answer has another entity tag than those of If-Match.':
    "La réponse a une autre étiquette d'entité que celles de If-Match.",
  'The form has too many controls.': 'Le formulaire a trop de champs.',
  'The key is taken.': 'La clé est déjà prise.',
  'The login or the password is wrong.': 'L’identifiant ou le mot de passe est incorrect.',
  'The name __proto__ is not allowed.': "Le nom __proto__ n'est pas autorisé.",
  'The path has a malformed percent-encoding.': 'Le chemin a un encodage en pourcentage incorrect.',
  'A QUERY request has its parameters in its body, and none in its URL.':
    'Une requête QUERY a ses paramètres dans son corps, et aucun dans son URL.',
  'Query parameter {0} must be one version of OpenAPI: {1}.': 'Le paramètre {0} doit être une version d’OpenAPI : {1}.',
  'Query parameter query holds all parameters, and stands alone.':
    'Le paramètre query contient tous les paramètres et doit être seul.',
  'Query parameter query must be one that a link to this URL has.':
    "Le paramètre query doit venir d'un lien vers cette URL.",
  'The Content-Type of a QUERY request must be {0}.': "Le Content-Type d'une requête QUERY doit être {0}.",
  'The body of a QUERY request has a character that must be percent-encoded.':
    "Le corps d'une requête QUERY a un caractère qui doit être encodé par un pourcentage.",
  'The provider did not sign you in.': 'Le fournisseur ne vous a pas connecté.',
  'The request body does not fit its Content-Encoding.':
    'Le corps de la requête ne correspond pas à son Content-Encoding.',
  'The request body has a Content-Encoding which the server does not support.':
    'Le corps de la requête a un Content-Encoding que le serveur ne prend pas en charge.',
  'The request body is not UTF-8.': "Le corps de la requête n'est pas en UTF-8.",
  'The request body must not be larger than {0} bytes.': 'Le corps de la requête ne doit pas dépasser {0} octets.',
  'The request body must not take more than {0} bytes once it is parsed.':
    "Le corps de la requête ne doit pas prendre plus de {0} octets une fois qu'il est analysé.",
  'The request ended before its body was complete.': "La requête s'est terminée avant que son corps soit complet.",
  'The request entity has a media type which the server or resource does not support.':
    'Le corps de la requête a un type de média que le serveur ou la ressource ne prend pas en charge.',
  'The request target is no URL.': "La cible de la requête n'est pas une URL.",
  'The request was not complete in time.': "La requête n'était pas complète à temps.",
  'The Idempotency-Token header must be 22 to 255 letters, digits or characters of "-._~+/=".':
    "L'en-tête Idempotency-Token doit avoir de 22 à 255 lettres, chiffres ou caractères de « -._~+/= ».",
  'The request with this Idempotency-Key was carried out. Its answer is not repeated: it shows what you may not see any more.':
    "La requête avec cet Idempotency-Key a été exécutée. Sa réponse n'est pas répétée : elle montre ce que vous n'avez plus le droit de voir.",
  'The request with this Idempotency-Key was carried out. Its answer is repeated with its Idempotency-Token only.':
    "La requête avec cet Idempotency-Key a été exécutée. Sa réponse n'est répétée qu'avec son Idempotency-Token.",
  'The requested resource is capable of generating only content not acceptable according to the Accept headers sent in the request.':
    "La ressource demandée ne peut fournir que des contenus non acceptables selon l'en-tête Accept de la requête.",
  'The route {0} could not be found.': 'La route {0} est introuvable.',
  'The database refuses the change.': 'La base de données refuse la modification.',
  'The scopes of your token do not allow that.': 'Les scopes de votre jeton ne permettent pas cela.',
  'The sign-in was begun in another browser, or too long ago. Begin again.':
    'La connexion a été commencée dans un autre navigateur, ou il y a trop longtemps. Recommencez.',
  'The values do not fit together.': 'Les valeurs ne vont pas ensemble.',
  'The {0} header must be * or a list of entity tags in double quotes.':
    "L'en-tête {0} doit être * ou une liste d'étiquettes d'entité entre guillemets doubles.",
  'The {0} method is not supported for route {1}. Supported methods: {2}.':
    "La méthode {0} n'est pas prise en charge pour la route {1}. Méthodes prises en charge : {2}.",
  'This Idempotency-Key was sent with another request. Take a new one.':
    'Cet Idempotency-Key a été envoyé avec une autre requête. Prenez-en un nouveau.',
  'This action is unauthorized.': "Cette action n'est pas autorisée.",
  'Too Early': 'Trop tôt',
  'Too Many Requests': 'Trop de requêtes',
  'Try again in 1 second.': 'Réessayez dans 1 seconde.',
  'Try again in {0} seconds.': 'Réessayez dans {0} secondes.',
  'URI Too Long': 'URI trop longue',
  'Unauthenticated.': "Vous n'êtes pas authentifié.",
  Unauthorized: 'Authentification requise',
  'Unavailable For Legal Reasons': 'Indisponible pour des raisons légales',
  'Unprocessable Entity': 'Contenu non traitable',
  'Unsupported Media Type': 'Type de média non pris en charge',
  'Upgrade Required': 'Changement de protocole requis',
  'Variant Also Negotiates': 'Erreur de négociation de contenu',
  'You have no account here.': 'Vous n’avez pas de compte ici.',
  'You have signed in or out since this page was made.':
    'Vous vous êtes connecté ou déconnecté depuis la création de cette page.',
  'You may not act for this user.': 'Vous ne pouvez pas agir pour cet utilisateur.',
} as const satisfies Partial<Record<OwnText, string>>
