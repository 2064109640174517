import { AssertionError } from 'node:assert'
import type { TestDocument } from '../document.ts'
import { documentFaults } from '../kit/judges/document-faults.ts'
import type { Expected as ExpectedDocument } from '../kit/judges/judged.ts'
import type { Answer } from '../send.ts'

/** What a document is compared with, and where it differs. */
export interface Compared {
  readonly found: unknown
  readonly expected: unknown
  /** One for each place; none where all is as expected. */
  readonly lines: readonly string[]
}

export interface Assertion {
  /** The statuses that are right. */
  readonly status: readonly number[]
  /** What the primary data must be; null where that does not matter. */
  readonly primary: ExpectedDocument['primary']
  /** The function that a test called: the stack of a failure begins with its caller. */
  readonly by: (...args: never[]) => unknown
  compare(document: TestDocument): Compared
}

/**
 * Holds an answer to its status, to what JSON:API says of every document, and to what is expected of this one.
 * @throws {AssertionError} which names the request and each place that differs.
 */
export function assertAnswer(answer: Answer, { status, primary, by, compare }: Assertion): TestDocument {
  const { document } = answer
  checkAnswer(answer, by)
  if (!status.includes(answer.status)) {
    const lines = [`status: found ${answer.status}, expected ${status.join(' or ')}`, ...told(answer)]
    throw failure(answer, { found: answer.status, expected: status[0], lines }, by)
  }
  const faults = faultsOf(answer, primary)
  if (faults.length > 0 || document === undefined)
    throw failure(answer, { found: document ?? answer.text, expected: 'a document of JSON:API', lines: faults }, by)
  const compared = compare(document)
  if (compared.lines.length > 0) throw failure(answer, compared, by)
  return document
}

/** @throws {Error} for what is no answer, most of all a call that the test did not await. */
function checkAnswer(answer: Answer, { name }: Assertion['by']): void {
  if (typeof answer?.status === 'number') return
  throw new Error(`${name}: this is no answer. Give it what \`await client.get(…)\` returns, with the await.`)
}

/** What is wrong with an answer by the rules of JSON:API. */
export function faultsOf({ request, status, headers, text, document }: Answer, primary: ExpectedDocument['primary']) {
  const { method, path, body } = request
  const header = (name: string) => headers.get(name)
  const judged = { method, url: path, status, header, text, ...(body !== undefined && { sent: body }) }
  const isLinkage = path.split('?', 1)[0]?.includes('/relationships/')
  const linkage = isLinkage ? (Array.isArray(document?.data) ? 'identifiers' : 'identifier') : null
  const faults = documentFaults(judged, { version: document?.jsonapi?.version ?? '1.0', primary: primary ?? linkage })
  return text === '' && status !== 204 ? [...faults, 'there is no body'] : faults
}

export function failure(
  { request }: Answer,
  { found, expected, lines }: Compared,
  by: Assertion['by'],
): AssertionError {
  const message = [`${request.method} ${readable(request.path)}`, ...lines.map((line) => `  ${line}`)].join('\n')
  return new AssertionError({ message, actual: found, expected, operator: by.name, stackStartFn: by })
}

function readable(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** What an error document says, so that a programmer does not have to look for it. */
const told = ({ document }: Answer): readonly string[] =>
  (Array.isArray(document?.errors) ? document.errors : []).map(
    ({ status, title, detail, source }, i) =>
      `errors[${i}]: ${[status, title].join(' ')}${detail ? `: ${detail}` : ''}${source ? ` ${JSON.stringify(source)}` : ''}`,
  )
