import { type JSX, Show } from 'solid-js'
import { t } from '../../language/language.js'
import { OfferList } from '../offer-list.js'
import type { Suggesting } from './suggesting.js'

/** The id of the list of suggestions. */
export const listId = 'search-offers'

/** The list of suggestions below the search box. */
export function SearchOffers(props: { suggesting: Suggesting }): JSX.Element {
  return (
    <OfferList
      id={listId}
      class="search-offers"
      offerClass="search-offer"
      label={t('search.suggestions')}
      choosing={props.suggesting.choosing}
      take={props.suggesting.take}
    >
      {offer => (
        <>
          <span class="chip" dir="auto">
            {offer.label}
          </span>
          <Show when={offer.hint}>{hint => <small>{hint()}</small>}</Show>
        </>
      )}
    </OfferList>
  )
}
