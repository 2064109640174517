import { Policy, type Rules, type User } from 'prismapi'

const day = 86_400_000

export default class NotePolicy extends Policy<'Note'> {
  override abilities({ can, cannot }: Rules<'Note'>, user: User | null) {
    if (!user) return
    can([this.reads, 'create'])
    cannot(['update', 'delete']).because('Its author may change a note for 24 hours.')
    can(['update', 'delete'], { authorId: user.id, createdAt: { gt: new Date(Date.now() - day) } })
  }
}
