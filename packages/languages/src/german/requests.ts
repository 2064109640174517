import type { OwnText } from '../texts.ts'

/** What HTTP says of requests: the titles of errors among it. */
export const requests = {
  'Connect an agent': 'Einen Agenten verbinden',
  'An agent may do what you may do. Give it this URL, and a token of yours:':
    'Ein Agent darf tun, was Sie tun dürfen. Geben Sie ihm diese URL und eines Ihrer Token:',
  'Clients that sign in by themselves, such as ChatGPT and Claude on the web, need the URL alone.':
    'Clients, die sich selbst anmelden, zum Beispiel ChatGPT und Claude im Web, brauchen nur die URL.',
  'Name one resource by id, or several by ids.': 'Nennen Sie eine Ressource mit id oder mehrere mit ids.',
  'Page parameter after is not a cursor of this collection in this order.':
    'Der Seitenparameter after ist kein Cursor dieser Sammlung in dieser Reihenfolge.',
  "Pages of this origin may not use agents' tools.":
    'Seiten dieses Ursprungs dürfen die Werkzeuge für Agenten nicht benutzen.',
  'Send one message in each request.': 'Senden Sie in jeder Anfrage eine einzige Nachricht.',
  'The argument {0} is nested too deeply.': 'Das Argument {0} ist zu tief verschachtelt.',
  'The argument {0} {1}.': 'Das Argument {0}: {1}.',
  'The arguments {0}.': 'Die Argumente: {0}.',
  'The requestState is over, or belongs to another call. Call the tool again without it.':
    'Der requestState ist abgelaufen oder gehört zu einem anderen Aufruf. Rufen Sie das Werkzeug ohne ihn noch einmal auf.',
  'The user did not confirm it. Nothing was changed.': 'Der Benutzer hat es nicht bestätigt. Nichts wurde geändert.',
  'There is no type {0} that you may use.': 'Es gibt keinen Typ {0}, den Sie benutzen dürfen.',
  'To list related resources, name a resource by id, and its relation.':
    'Nennen Sie eine Ressource mit id und ihre Beziehung, um verbundene Ressourcen aufzulisten.',
  'A number is out of range.': 'Eine Zahl liegt außerhalb des zulässigen Bereichs.',
  'A request with this Idempotency-Key is still being carried out.':
    'Eine Anfrage mit diesem Idempotency-Key wird noch ausgeführt.',
  'A value is too long or out of range.': 'Ein Wert ist zu lang oder liegt außerhalb des zulässigen Bereichs.',
  'Bad Gateway': 'Fehlerhafte Antwort eines anderen Servers',
  'Bad Request': 'Ungültige Anfrage',
  'Bandwidth Limit Exceeded': 'Bandbreite überschritten',
  'Choose at least one row.': 'Wählen Sie mindestens eine Zeile aus.',
  'Choose at most {0} rows.': 'Wählen Sie höchstens {0} Zeilen aus.',
  Conflict: 'Konflikt',
  'Expectation Failed': 'Erwartung nicht erfüllt',
  'Expecting JSON to decode to an object.': 'Der Inhalt muss ein JSON-Objekt sein.',
  'Expecting JSON to decode.': 'Der Inhalt der Anfrage muss JSON sein.',
  'Expecting a form.': 'Es wird ein Formular erwartet.',
  'Failed Dependency': 'Abhängigkeit fehlgeschlagen',
  Forbidden: 'Verboten',
  'Gateway Timeout': 'Zeitüberschreitung eines anderen Servers',
  Gone: 'Nicht mehr vorhanden',
  'HTTP Version Not Supported': 'HTTP-Version nicht unterstützt',
  "I'm a Teapot": 'Ich bin eine Teekanne',
  'Insufficient Storage': 'Nicht genügend Speicherplatz',
  'Internal Server Error': 'Interner Serverfehler',
  'Length Required': 'Längenangabe erforderlich',
  Locked: 'Gesperrt',
  'Loop Detected': 'Schleife entdeckt',
  'Method Not Allowed': 'Methode nicht erlaubt',
  'Misdirected Request': 'Fehlgeleitete Anfrage',
  'Network Authentication Required': 'Netzwerkanmeldung erforderlich',
  'No page has this form.': 'Keine Seite hat dieses Formular.',
  'No unique key of {0} consists of {1}.': 'Kein eindeutiger Schlüssel von {0} besteht aus {1}.',
  'Non-Compliant JSON:API Document': 'Kein gültiges JSON:API-Dokument',
  'Not Acceptable': 'Nicht annehmbar',
  'Not Deletable': 'Nicht löschbar',
  'Not Extended': 'Erweiterung erforderlich',
  'Not Found': 'Nicht gefunden',
  'Not Implemented': 'Nicht implementiert',
  'Not Supported': 'Nicht unterstützt',
  'Only pages of this server ask for that.': 'Nur Seiten dieses Servers können das verlangen.',
  'Payload Too Large': 'Inhalt zu groß',
  'Payment Required': 'Zahlung erforderlich',
  'Precondition Failed': 'Vorbedingung nicht erfüllt',
  'Precondition Required': 'Vorbedingung erforderlich',
  'Proxy Authentication Required': 'Anmeldung am Proxy erforderlich',
  'Range Not Satisfiable': 'Bereich nicht erfüllbar',
  'Request Header Fields Too Large': 'Kopfzeilen zu groß',
  'Request Timeout': 'Zeitüberschreitung der Anfrage',
  'Send the key in Authorization. URLs are kept in logs: revoke this key.':
    'Senden Sie den Schlüssel in Authorization. URLs bleiben in Protokollen: widerrufen Sie diesen Schlüssel.',
  'Service Unavailable': 'Dienst nicht verfügbar',
  'The Idempotency-Key header must be 1 to 255 visible ASCII characters.':
    'Die Kopfzeile Idempotency-Key muss aus 1 bis 255 sichtbaren ASCII-Zeichen bestehen.',
  'The URL is too long.': 'Die URL ist zu lang.',
  'The answer has another entity tag than those of If-Match.':
    'Die Antwort hat ein anderes Entity-Tag als die in If-Match.',
  'The form has too many controls.': 'Das Formular hat zu viele Felder.',
  'The key is taken.': 'Der Schlüssel ist vergeben.',
  'The login or the password is wrong.': 'Der Anmeldename oder das Passwort ist falsch.',
  'The name __proto__ is not allowed.': 'Der Name __proto__ ist nicht zulässig.',
  'The path has a malformed percent-encoding.': 'Der Pfad hat eine fehlerhafte Prozentkodierung.',
  'A QUERY request has its parameters in its body, and none in its URL.':
    'Eine QUERY-Anfrage hat ihre Parameter im Inhalt und keine in der URL.',
  'Query parameter {0} must be one version of OpenAPI: {1}.':
    'Der Query-Parameter {0} muss eine Version von OpenAPI sein: {1}.',
  'Query parameter query holds all parameters, and stands alone.':
    'Der Query-Parameter query enthält alle Parameter und steht allein.',
  'Query parameter query must be one that a link to this URL has.':
    'Der Query-Parameter query muss aus einem Link zu dieser URL stammen.',
  'The Content-Type of a QUERY request must be {0}.': 'Der Content-Type einer QUERY-Anfrage muss {0} sein.',
  'The body of a QUERY request has a character that must be percent-encoded.':
    'Der Inhalt einer QUERY-Anfrage hat ein Zeichen, das prozentkodiert sein muss.',
  'The provider did not sign you in.': 'Der Anbieter hat Sie nicht angemeldet.',
  'The request body does not fit its Content-Encoding.':
    'Der Inhalt der Anfrage passt nicht zu seinem Content-Encoding.',
  'The request body has a Content-Encoding which the server does not support.':
    'Der Inhalt der Anfrage hat ein Content-Encoding, das der Server nicht unterstützt.',
  'The request body is not UTF-8.': 'Der Inhalt der Anfrage ist nicht UTF-8.',
  'The request body must not be larger than {0} bytes.': 'Der Inhalt der Anfrage darf nicht größer als {0} Bytes sein.',
  'The request body must not take more than {0} bytes once it is parsed.':
    'Der Inhalt der Anfrage darf nicht mehr als {0} Bytes Speicher brauchen, wenn er gelesen ist.',
  'The request ended before its body was complete.': 'Die Anfrage endete, bevor ihr Inhalt vollständig war.',
  'The request entity has a media type which the server or resource does not support.':
    'Der Inhalt der Anfrage hat einen Medientyp, den der Server oder die Ressource nicht unterstützt.',
  'The request target is no URL.': 'Das Ziel der Anfrage ist keine URL.',
  'The request was not complete in time.': 'Die Anfrage war nicht rechtzeitig vollständig.',
  'The Idempotency-Token header must be 22 to 255 letters, digits or characters of "-._~+/=".':
    'Die Kopfzeile Idempotency-Token muss aus 22 bis 255 Buchstaben, Ziffern oder Zeichen von „-._~+/=“ bestehen.',
  'The request with this Idempotency-Key was carried out. Its answer is not repeated: it shows what you may not see any more.':
    'Die Anfrage mit diesem Idempotency-Key wurde ausgeführt. Ihre Antwort wird nicht wiederholt: Sie zeigt, was Sie nicht mehr sehen dürfen.',
  'The request with this Idempotency-Key was carried out. Its answer is repeated with its Idempotency-Token only.':
    'Die Anfrage mit diesem Idempotency-Key wurde ausgeführt. Ihre Antwort wird nur mit ihrem Idempotency-Token wiederholt.',
  'The requested resource is capable of generating only content not acceptable according to the Accept headers sent in the request.':
    'Die Ressource kann nur Inhalte liefern, die nach dem Accept der Anfrage nicht annehmbar sind.',
  'The route {0} could not be found.': 'Die Route {0} wurde nicht gefunden.',
  'The database refuses the change.': 'Die Datenbank lehnt die Änderung ab.',
  'The scopes of your token do not allow that.': 'Die Scopes Ihres Tokens erlauben das nicht.',
  'The sign-in was begun in another browser, or too long ago. Begin again.':
    'Die Anmeldung wurde in einem anderen Browser oder vor zu langer Zeit begonnen. Beginnen Sie noch einmal.',
  'The values do not fit together.': 'Die Werte passen nicht zusammen.',
  'The {0} header must be * or a list of entity tags in double quotes.':
    'Die Kopfzeile {0} muss * oder eine Liste von Entity-Tags in doppelten Anführungszeichen sein.',
  'The {0} method is not supported for route {1}. Supported methods: {2}.':
    'Die Methode {0} wird für die Route {1} nicht unterstützt. Unterstützte Methoden: {2}.',
  'This Idempotency-Key was sent with another request. Take a new one.':
    'Dieser Idempotency-Key wurde mit einer anderen Anfrage gesendet. Nehmen Sie einen neuen.',
  'This action is unauthorized.': 'Diese Aktion ist nicht erlaubt.',
  'Too Early': 'Zu früh',
  'Too Many Requests': 'Zu viele Anfragen',
  'Try again in 1 second.': 'Versuchen Sie es in 1 Sekunde noch einmal.',
  'Try again in {0} seconds.': 'Versuchen Sie es in {0} Sekunden noch einmal.',
  'URI Too Long': 'URI zu lang',
  'Unauthenticated.': 'Nicht angemeldet.',
  Unauthorized: 'Anmeldung erforderlich',
  'Unavailable For Legal Reasons': 'Aus rechtlichen Gründen nicht verfügbar',
  'Unprocessable Entity': 'Inhalt nicht verarbeitbar',
  'Unsupported Media Type': 'Medientyp nicht unterstützt',
  'Upgrade Required': 'Protokollwechsel erforderlich',
  'Variant Also Negotiates': 'Fehlerhafte Inhaltsaushandlung',
  'You have no account here.': 'Sie haben hier kein Konto.',
  'You have signed in or out since this page was made.':
    'Sie haben sich an- oder abgemeldet, seit diese Seite erstellt wurde.',
  'You may not act for this user.': 'Sie dürfen nicht für diesen Benutzer handeln.',
} as const satisfies Partial<Record<OwnText, string>>
