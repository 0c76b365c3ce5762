import type { JSX } from 'solid-js'
import { t } from '../language/language.js'

interface ChipProps {
  readonly name: string
  /** Before the name. */
  readonly sign?: JSX.Element
  readonly isLocked?: boolean
  remove(): void
}

/** A chosen person or group; a click removes it from the choice. */
export function Chip(props: ChipProps): JSX.Element {
  return (
    <button
      type="button"
      class="chip"
      disabled={props.isLocked}
      aria-label={t('words.removeOne', props.name)}
      onClick={() => props.remove()}
    >
      {props.sign}
      <bdi>{props.name}</bdi> ×
    </button>
  )
}
