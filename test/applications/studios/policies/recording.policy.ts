import { Policy, type Rules, type User } from 'prismapi'

export default class RecordingPolicy extends Policy<'Recording'> {
  override abilities({ can }: Rules<'Recording'>, user: User | null) {
    if (!user) return
    can([this.reads, 'create', 'update'])
    if (user.role === 'OWNER') can('delete')
  }
}
