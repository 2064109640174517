/** Which part is asked: CI names one for each commit, so that its run can be repeated. `TEST_TURN=all` asks all. */
const turn = process.env.TEST_TURN ?? String(Date.now())

/** Is it the turn of the nth of the tests that take long, where one in so many is run? */
export const hasTurn = (n: number, share: number): boolean => turn === 'all' || (n + Number(turn)) % share === 0
