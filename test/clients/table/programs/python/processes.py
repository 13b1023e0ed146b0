"""Splits the receipts of a day among three processes."""
from multiprocessing import Pool
from shop import ASTRID, ELIN, JOHAN, LARS, MAJA, OSKAR, RECEIPTS, call, receipt, retry


def deliver(sale):
    number, contact = sale
    retry(lambda i: call("POST", RECEIPTS, receipt(contact, f"process-{number}", total=100 + number)))


if __name__ == "__main__":
    with Pool(3) as pool:
        pool.map(deliver, enumerate([ASTRID, JOHAN, ELIN, OSKAR, MAJA, LARS]))
