import { Prisma } from '../../prisma/generated/client/client.ts'

type Decimal = Prisma.Decimal

const taxRate = '0.19'

const rounded = (amount: Decimal) => amount.toDecimalPlaces(2, Prisma.Decimal.ROUND_HALF_UP)
const sumOf = (rows: readonly { readonly amount: Decimal }[]) =>
  rows.reduce((sum, { amount }) => sum.plus(amount), new Prisma.Decimal(0))

/** What a line of an invoice comes to. */
export const amountOf = (quantity: unknown, unitPrice: unknown): Decimal =>
  rounded(new Prisma.Decimal(String(quantity)).times(String(unitPrice)))

/** The totals of an invoice: the tax of the sum is rounded, not that of each line. */
export function totalsOf(lines: readonly { readonly amount: Decimal }[]) {
  const net = sumOf(lines)
  const tax = rounded(net.times(taxRate))
  return { net, tax, total: net.plus(tax) }
}

/** How much of an invoice is left to pay. */
export const leftOf = (invoice: {
  readonly total: Decimal
  readonly payments: readonly { readonly amount: Decimal }[]
}) => invoice.total.minus(sumOf(invoice.payments))
