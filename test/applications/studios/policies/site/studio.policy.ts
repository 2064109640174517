import { Policy, type Rules } from 'prismapi'

export default class StudioPolicy extends Policy<'Studio'> {
  override abilities({ can }: Rules<'Studio'>) {
    can(this.reads)
  }
}
