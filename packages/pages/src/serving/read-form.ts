import { type RequestWithBody, readBytes } from '@prismapi/core/http/request/body'
import { badRequest } from '@prismapi/jsonapi/document/errors'
import { say } from '@prismapi/jsonapi/document/text'

const longestForm = 16_384
// No page has more, whatever its type; each control may be looked up by the name of another one.
const mostControls = 1000
// Names are taken apart, and told as words: that takes longer than they are.
const longestName = 500

interface FormLimits {
  readonly bytes?: number
  /** How many rows it may be about, with two controls each. */
  readonly rows?: number
}

/**
 * What a form of a page sends without a script.
 *
 * @throws {JsonApiError} 400 for what is no form, or has more controls than a page, or longer names, 413
 */
export async function readForm(
  call: Pick<RequestWithBody, 'koa' | 'received'>,
  { bytes = longestForm, rows = 0 }: FormLimits = {},
): Promise<URLSearchParams> {
  if (!call.koa.is('urlencoded')) throw badRequest(say`Expecting a form.`)
  const text = (await readBytes(call, bytes)).toString()
  // Before it is taken apart: a name and a value take many times as much room as the two bytes that make them.
  if (controlsOf(text) > mostControls + 2 * rows) throw badRequest(say`The form has too many controls.`)
  const form = new URLSearchParams(text)
  for (const name of form.keys()) if (name.length > longestName) throw badRequest(say`No page has this form.`)
  return form
}

function controlsOf(text: string): number {
  let controls = 1
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) controls++
  return controls
}
