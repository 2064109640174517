import { compareShapes, type Difference } from './compare-shapes.ts'
import {
  type Announced,
  type Announcement,
  announcementsAbove,
  type Part,
  passedSunset,
  type Surface,
} from './surface.ts'

/** What became of one thing that clients rely on. */
export interface Change {
  /** Does a client that worked before fail now. */
  readonly breaks: boolean
  /** The type, or `API`. */
  readonly where: string
  readonly what: string
  readonly rule: Rule
  readonly says: string
  /** The sunset that was announced, and is over; null where no client could know. */
  readonly sunset: string | null
}

export type Rule = 'gone' | 'new' | 'demanded' | 'narrowed' | 'widened' | 'changed' | 'deprecated'

interface Compared extends Announced {
  readonly now: Surface
}

/** In: an API as it was and as it is. Out: every change, those that break clients among them. */
export function compareSurfaces(compared: Compared): readonly Change[] {
  const { old, now } = compared
  const all = new Map([...old.parts, ...now.parts])
  return [...all.keys()].flatMap((key) => {
    const [was, is] = [old.parts.get(key), now.parts.get(key)]
    if (was && is) return [...differences(compared, was, is), ...announced(compared, was, is)]
    if (was) return isGoneAlone(compared, was) ? [gone(compared, was)] : []
    return is && isNewAlone(compared, is) ? [added(is)] : []
  })
}

const reasons = ({ within, needs }: Part): readonly string[] => (within === null ? needs : [within, ...needs])

/** Is it gone for a reason of its own, and not because of something that it cannot be without. */
function isGoneAlone({ old, now }: Compared, part: Part): boolean {
  if (reasons(part).some((key) => old.parts.has(key) && !now.parts.has(key))) return false
  return !isAccepted(now, part)
}

/** Is it new where everything was there already that it cannot be without. */
function isNewAlone({ old, now }: Compared, part: Part): boolean {
  const isNew = (key: string) => now.parts.has(key) && !old.parts.has(key)
  if (part.within !== null && isNew(part.within)) return false
  // Of demands, one that follows from another; a field is new, and that it has to be sent breaks clients all the same.
  if (part.isDemand) return !part.needs.some((key) => isNew(key) && now.parts.get(key)?.isDemand)
  return !part.needs.some(isNew) && !isAccepted(old, part)
}

/** Paths that are not written out are there where a pattern takes them. */
function isAccepted({ open }: Surface, { what, where }: Part): boolean {
  const [list = '', path = ''] = what.split('=')
  return open.get(`${where} ${list}`)?.test(path) ?? false
}

function gone(compared: Compared, part: Part): Change {
  const { where, what, isDemand } = part
  if (isDemand) return { breaks: false, where, what, rule: 'widened', says: 'accepted', sunset: null }
  return { breaks: true, where, what, rule: 'gone', says: 'gone', sunset: passedSunset(compared, part) }
}

const added = ({ where, what, isDemand }: Part): Change =>
  isDemand
    ? { breaks: true, where, what, rule: 'demanded', says: 'refused', sunset: null }
    : { breaks: false, where, what, rule: 'new', says: 'new', sunset: null }

function differences(compared: Compared, was: Part, { shape }: Part): readonly Change[] {
  if (!was.shape || !shape) return []
  return compareShapes(was.shape, shape).map((difference): Change => {
    const breaks = isBreaking(was, difference)
    const { effect, says } = difference
    const what = `${was.what}${difference.at}`
    return { breaks, where: was.where, what, rule: effect, says, sunset: breaks ? passedSunset(compared, was) : null }
  })
}

/** Of what clients send less breaks, of what they are shown more: they meet what they never met. */
function isBreaking({ direction }: Part, { effect }: Difference): boolean {
  if (effect === 'changed' || effect === 'gone') return true
  return effect === (direction === 'sent' ? 'narrowed' : 'widened')
}

/** That the end of something is announced breaks no client yet; that it comes earlier than announced does. */
function announced({ now }: Compared, was: Part, is: Part): readonly Change[] {
  const [before, after] = [was.announcement, is.announcement]
  if (!after || isSame(before, after) || announcementsAbove(now, is).some((above) => isSame(above, after))) return []
  const breaks = before?.sunset != null && after.sunset !== null && Date.parse(after.sunset) < Date.parse(before.sunset)
  const says = `deprecated${after.since ? ` since ${after.since}` : ''}${after.sunset ? `, until ${after.sunset}` : ''}`
  const earlier = breaks ? `, which was ${before?.sunset}` : ''
  return [{ breaks, where: is.where, what: is.what, rule: 'deprecated', says: says + earlier, sunset: null }]
}

const isSame = (a: Announcement | null, b: Announcement | null): boolean =>
  a?.since === b?.since && a?.sunset === b?.sunset
