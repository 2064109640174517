import { Policy, type Rules, type User } from 'prismapi'

export default class ArtistPolicy extends Policy<'Artist'> {
  override abilities({ can, cannot }: Rules<'Artist'>, user: User | null) {
    if (!user) return
    can(this.reads)
    if (user.role === 'ENGINEER') return cannot('view', ['email', 'phone', 'birthday', 'taxNumber', 'invoices'])
    can(['create', 'update'])
    if (user.role === 'OWNER') return can('delete')
    cannot(['view', 'create', 'update'], 'taxNumber')
  }
}
