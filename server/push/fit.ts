import { mostBodyBytes, overheadBytes } from './encrypt.js'

const mostTextBytes = mostBodyBytes - overheadBytes
// Some push services take less than the standard asks of them.
const fewTextBytes = 1_024

/**
 * The JSON of a push in UTF-8, with its content shortened to what a body holds. `build` makes the object for a content.
 * @param isShort for a push service that has refused the usual length
 */
export function fitPush(content: string, build: (content: string) => object, isShort = false): Uint8Array {
  const most = isShort ? fewTextBytes : mostTextBytes
  const points = [...content]
  let [fits, over] = [0, points.length + 1]
  let best: Buffer | undefined
  const whole = encode(build(content))
  if (whole.length <= most) return whole
  // The content may be there twice, and characters take different numbers of bytes: try lengths by halves.
  while (over - fits > 1) {
    const length = (fits + over) >> 1
    const shorter = encode(build(`${points.slice(0, length).join('')}…`))
    if (shorter.length <= most) [fits, best] = [length, shorter]
    else over = length
  }
  return best ?? encode(build(''))
}

const encode = (value: object): Buffer => Buffer.from(JSON.stringify(value))
