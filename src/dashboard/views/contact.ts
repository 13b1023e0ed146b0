/** Shows everything that the sim knows of one contact, now or right after any request. */
import { addressOf } from '../ui/address.ts';
import { button, h, reportErrors } from '../ui/elements.ts';
import { renderValue } from '../ui/items.ts';
import { coalesce } from '../ui/view.ts';
import type { View } from '../ui/view.ts';
import { requestTenant } from '../api/client.ts';
import type { ContactCard, ContactPointsJson, Verdict } from '../api/api-types.ts';
import { contactSearch } from '../contact/contact-search.ts';
import { contactSections } from '../contact/contact-sections.ts';
import { findingsByRequest } from '../contact/point-changes.ts';
import { askForBranch, branchTenant } from '../time-travel/branch.ts';
import { journalSlider } from '../time-travel/journal-slider.ts';

/** Says whose card is shown, and after which request. */
interface Place {
  readonly id: string;
  readonly at: string | undefined;
}

/** Reads `<contact>@<request>`, or a contact alone. */
function placeOf(about: string): Place {
  const [, id = about, at] = /^(.*)@([^@]+-\d+)$/.exec(about) ?? [];
  return { id, at };
}

/** Returns what follows the name of the view in the address of a contact at a request. */
const contactAt = ({ id, at }: Place): string => (at === undefined ? id : `${id}@${at}`);

async function readContact({ id, at }: Place): Promise<Parameters<typeof contactSections>[0]> {
  const path = `/contacts/${encodeURIComponent(id)}`;
  const query = { limit: '200', ...(at !== undefined && { at }) };
  const [card, points, verdict] = await Promise.all([
    requestTenant<ContactCard>('GET', `${path}/card`, { query }),
    requestTenant<ContactPointsJson>('GET', `${path}/points`, { query }),
    requestTenant<Verdict>('GET', '/verdict'),
  ]);
  return { card, points, findings: findingsByRequest(verdict) };
}

export function contactView(): View {
  let place: Place = { id: '', at: undefined };
  const card = h('div', { class: 'card-of-contact' });
  const search = contactSearch(() => {
    if (place.id !== '') location.hash = addressOf('contact');
  });
  const slider = journalSlider((at) => {
    place = { ...place, at };
    history.replaceState(null, '', addressOf('contact', contactAt(place)));
    showSoon();
  });
  const branch = button('Branch a tenant from here …', async () => {
    const { at } = place;
    const from = at ?? (await newestRequest());
    const name = from === undefined ? undefined : await askForBranch(from);
    if (from === undefined || name === undefined) return;
    await branchTenant(name, from, 'after');
    location.hash = `#${encodeURIComponent(name)}/contact/${encodeURIComponent(place.id)}`;
  });
  const travel = h(
    'div',
    { class: 'panel time-travel', role: 'group', 'aria-label': 'Time travel' },
    slider.element,
    branch,
  );
  const show = async (): Promise<void> => {
    const wanted = place;
    const shown = await readContact(wanted);
    if (wanted !== place) return;
    const { now: _, ...known } = shown.card;
    renderValue(
      card,
      { known, points: { ...shown.points, now: '' }, findings: [...shown.findings], at: wanted.at },
      () => contactSections(shown),
    );
  };
  const showSoon = coalesce(() => reportErrors(show));
  return {
    name: 'contact',
    title: 'Contacts',
    element: h('div', { class: 'contact-view' }, search.element, travel, card),
    refreshOn: /^(request\.(completed|updated)|job|clock|state|snapshot|tenant|stream)/,
    refresh: async (about) => {
      const wanted = placeOf(about);
      const isOther = wanted.id !== place.id;
      place = wanted;
      search.showList(wanted.id === '');
      travel.hidden = card.hidden = wanted.id === '';
      if (wanted.id === '') return search.refresh();
      if (isOther) renderValue(card, about, () => null);
      await slider.refresh();
      slider.show(wanted.at);
      await show();
    },
  };
}

/** Returns the id of the newest request, from whose end a branch of now starts. */
async function newestRequest(): Promise<string | undefined> {
  const { items } = await requestTenant<{ items: { id: string }[] }>('GET', '/requests', { query: { last: '1' } });
  if (!items[0]) throw new Error('There is no request yet to branch from.');
  return items[0].id;
}
