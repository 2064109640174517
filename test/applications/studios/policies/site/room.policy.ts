import { Policy, type Rules } from 'prismapi'

export default class RoomPolicy extends Policy<'Room', 'slots'> {
  override abilities({ can }: Rules<'Room', 'slots'>) {
    can(['viewAny', 'view', 'viewStudio', 'slots'])
  }
}
