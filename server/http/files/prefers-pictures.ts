const wanted = 'image/png'
const otherwise = 'text/html'

/** Whether an Accept header gives a PNG a higher quality than HTML (RFC 9110, 12.5.1), as that of an `img` does. */
export function prefersPictures(accept: string): boolean {
  const ranges = accept.split(',').map(rangeOf)
  return qualityOf(ranges, wanted) > qualityOf(ranges, otherwise)
}

interface MediaRange {
  readonly name: string
  readonly quality: number
}

function rangeOf(text: string): MediaRange {
  const [name = '', ...params] = text.split(';').map(part => part.trim().toLowerCase())
  const given = params.find(param => param.startsWith('q='))
  const quality = given === undefined ? 1 : Number(given.slice(2))
  return { name, quality: quality >= 0 && quality <= 1 ? quality : 0 }
}

/** The most specific range that includes the type decides. */
function qualityOf(ranges: readonly MediaRange[], type: string): number {
  for (const name of [type, `${type.split('/')[0]}/*`, '*/*']) {
    const found = ranges.find(range => range.name === name)
    if (found) return found.quality
  }
  return 0
}
