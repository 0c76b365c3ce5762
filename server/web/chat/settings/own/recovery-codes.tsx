import { For, type JSX } from 'solid-js'
import { st } from '../../../language/settings-language.js'

/** Recovery codes, which the server shows once: to keep as a file or on paper. */
export function RecoveryCodes(props: { readonly codes: readonly string[] }): JSX.Element {
  const file = () => `data:text/plain;charset=utf-8,${encodeURIComponent(`${props.codes.join('\n')}\n`)}`
  return (
    <section class="factor-codes" aria-label={st('factors.codes')}>
      <p class="notice">{st('factors.codesMeaning')}</p>
      <ul>
        <For each={props.codes}>
          {code => (
            <li>
              <code>{code}</code>
            </li>
          )}
        </For>
      </ul>
      <div class="account-done">
        <a class="button" href={file()} download="recovery-codes.txt">
          {st('factors.download')}
        </a>
        <button type="button" class="button" onClick={() => window.print()}>
          {st('factors.print')}
        </button>
      </div>
    </section>
  )
}
