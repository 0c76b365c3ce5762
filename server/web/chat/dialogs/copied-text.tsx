import { createSignal, type JSX } from 'solid-js'
import { t } from '../../language/language.js'
import { copyText } from '../copy-text.js'

interface CopiedTextProps {
  readonly label: string
  readonly text: string
  /** Further buttons. */
  readonly children?: JSX.Element
}

/** A text to copy into another program. */
export function CopiedText(props: CopiedTextProps): JSX.Element {
  const [result, setResult] = createSignal('')
  const copy = async () => setResult((await copyText(props.text)) ? t('account.copied') : t('notice.noClipboard'))
  return (
    <>
      <div class="account-key">
        <input
          class="input"
          readOnly
          autocomplete="off"
          spellcheck={false}
          aria-label={props.label}
          value={props.text}
          onFocus={event => event.currentTarget.select()}
        />
        <button type="button" class="button" onClick={() => void copy()}>
          {t('account.copy')}
        </button>
        {props.children}
      </div>
      <p class="quiet" role="status">
        {result()}
      </p>
    </>
  )
}
