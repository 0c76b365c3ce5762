import { numberText } from '../../../language/format.js'
import { st } from '../../../language/settings-language.js'
import { type Option, rowsOf } from '../rows.js'

const gibibytes = [1, 5, 10, 50, 100, 500, 1000, 5000]

const sizes = (): readonly Option[] => [
  ...gibibytes.map((size): Option => [size * 1024, () => st('facts.gib', numberText(size))]),
  [null, () => st('choices.unlimited')],
]

/** How much the files of all people may take together. */
export const spaceOfFiles = rowsOf('organization').choice('upload_quota_mib', sizes)
