import type { Context } from 'koa'
import { badRequest } from '../../document/errors.ts'
import { say } from '../../document/text.ts'
import { readBytes } from '../../http/request/body.ts'

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
  ctx: Context,
  { bytes = longestForm, rows = 0 }: FormLimits = {},
): Promise<URLSearchParams> {
  if (!ctx.is('urlencoded')) throw badRequest(say`Expecting a form.`)
  const form = new URLSearchParams((await readBytes(ctx, bytes)).toString())
  if (form.size > mostControls + 2 * rows) throw badRequest(say`The form has too many controls.`)
  for (const name of form.keys()) if (name.length > longestName) throw badRequest(say`No page has this form.`)
  return form
}
