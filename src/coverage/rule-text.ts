import type { DeclaredRule } from '../auth/rules.ts'
import { isPlain } from '../condition/plain.ts'

/**
 * What tells a rule from the others of its policy: its effect, its actions, its fields, and the members of its condition without their
 * values, which differ from caller to caller.
 */
export function ruleText({ inverted, actions, fields, where: [where] }: Omit<DeclaredRule, 'reason'>): string {
  const named = typeof actions === 'string' ? actions : `[${actions.join(', ')}]`
  const condition = isPlain(where) && Object.keys(where).length > 0 ? `, ${shapeOf(where)}` : ''
  const about = fields ? `, [${fields.join(', ')}]` : ''
  return `${inverted ? 'cannot' : 'can'}(${named}${about}${condition})`
}

function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shapeOf).join(', ')}]`
  if (!isPlain(value)) return '…'
  const members = Object.entries(value).map(([name, member]) => `${name}: ${shapeOf(member)}`)
  return `{ ${members.join(', ')} }`
}
