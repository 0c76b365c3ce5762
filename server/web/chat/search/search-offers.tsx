import { For, type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import type { Suggesting } from './suggesting.js'

/** The list of suggestions below the search box. */
export function SearchOffers(props: { suggesting: Suggesting }): JSX.Element {
  return (
    <div class="search-offers" id="search-offers" role="listbox" aria-label={t('search.suggestions')}>
      <For each={props.suggesting.offers()}>
        {(offer, index) => (
          <div
            class="search-offer"
            id={`search-offer-${index()}`}
            role="option"
            tabIndex={-1}
            aria-selected={index() === props.suggesting.at()}
            // The box keeps the focus.
            onPointerDown={event => event.preventDefault()}
            onClick={() => props.suggesting.take(offer)}
            onKeyDown={event => event.key === 'Enter' && props.suggesting.take(offer)}
          >
            <span class="chip" dir="auto">
              {offer.label}
            </span>
            <Show when={offer.hint}>{hint => <small>{hint()}</small>}</Show>
          </div>
        )}
      </For>
    </div>
  )
}
