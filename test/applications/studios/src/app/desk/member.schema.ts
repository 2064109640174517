import { meta, Schema, string } from 'prismapi'
import { hashOf, newKey } from '../auth.ts'

export default class MemberSchema extends Schema<'Member'> {
  override actions() {
    return [
      this.action('issueKey', {
        description: 'A new key to sign in, which is shown once. The old one is void.',
        meta: { key: string().required() },
        async handle({ row, save }) {
          const key = newKey()
          return meta({ key }, await save('Member', row, { keyHash: hashOf(key) }))
        },
      }),
    ]
  }
}
