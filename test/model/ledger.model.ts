/**
 * An account's points worked out the plainest way there is: everything that was added is a pot, and every hour is
 * looked at. Shares nothing with the product.
 */
export interface Move {
  /** Hours, as all moments here. */
  readonly at: number;
  readonly amount: number;
  readonly validFrom?: number | undefined;
  readonly validTo?: number | undefined;
}

interface Pot {
  left: number;
  readonly from: number;
  readonly to: number;
}

export interface Held {
  readonly balance: number;
  readonly pending: number;
  readonly expired: number;
}

/** The first pots to go dry are those that expire first; what can't be taken stays owed, also by what came too late. */
class Pots {
  readonly all: Pot[] = [];
  owed = 0;
  expired = 0;

  active(now: number): Pot[] {
    return this.all.filter(({ from }) => from <= now).toSorted((a, b) => a.to - b.to);
  }

  settle(now: number): void {
    for (const pot of this.active(now)) {
      const taken = pot.to <= pot.from ? 0 : Math.min(this.owed, pot.left);
      pot.left -= taken;
      this.owed -= taken;
      if (pot.to > now) continue;
      this.expired += pot.left;
      pot.left = 0;
    }
  }
}

const startOf = ({ at, validFrom = at }: Move): number => Math.max(at, validFrom);

/** What an account holds at an hour, after all that was done by then. */
export function heldAt(moves: readonly Move[], now: number): Held {
  const pots = new Pots();
  for (let hour = 0; hour <= now; hour++) {
    for (const move of moves) if (move.amount < 0 && move.at < hour && startOf(move) === hour) pots.owed -= move.amount;
    pots.settle(hour);
    for (const move of moves.filter(({ at }) => at === hour)) {
      const { amount, validTo = Number.POSITIVE_INFINITY } = move;
      if (amount > 0) pots.all.push({ left: amount, from: startOf(move), to: validTo });
      else if (startOf(move) === hour) pots.owed -= amount;
      pots.settle(hour);
    }
  }
  const sum = (pending: boolean): number =>
    pots.all.reduce((total, { from, left }) => total + (from > now === pending ? left : 0), 0);
  const toBeTaken = moves.filter((move) => move.amount < 0 && move.at <= now && startOf(move) > now);
  return {
    balance: sum(false) - pots.owed,
    pending: toBeTaken.reduce((total, { amount }) => total + amount, sum(true)),
    expired: pots.expired,
  };
}
