/** The content codings of answers. */
export type Coding = 'br' | 'gzip'

/**
 * The coding of an answer for a client with this Accept-Encoding (RFC 9110, 12.5.3): the one that it likes most, of equal ones the first
 * of those offered. Undefined: as it is, also for a client that accepts nothing that is offered.
 */
export function codingFor(accepted: string, offered: readonly Coding[]): Coding | undefined {
  if (accepted === '') return undefined
  const weights = weightsIn(accepted)
  let best: Coding | undefined
  // A client that names `identity` may prefer it; one that does not takes it only in need.
  let most = weights.get('identity') ?? 0
  for (const coding of offered) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0
    if (weight === 0 || weight < most || (best && weight === most)) continue
    best = coding
    most = weight
  }
  return best
}

/** Whether the client wants no answer as it is, however short. */
export function refusesIdentity(accepted: string): boolean {
  // Usual clients give no weights.
  if (!accepted.includes(';')) return false
  const weights = weightsIn(accepted)
  return (weights.get('identity') ?? weights.get('*')) === 0
}

const maxCodings = 32

function weightsIn(accepted: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const one of accepted.toLowerCase().split(',', maxCodings)) {
    const [name = '', ...params] = one.split(';')
    weights.set(name.trim(), weightIn(params))
  }
  return weights
}

const quality = /^\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/

/** 0 also where the weight cannot be read. */
function weightIn(params: readonly string[]): number {
  if (params.length === 0) return 1
  return params.length === 1 ? Number(quality.exec(params[0] as string)?.[1] ?? 0) : 0
}
