package explain

import (
	"fmt"

	"bourse/reports/table"
	"bourse/reports/terminal"
)

// receipt writes the bill line by line.
func (t *printer) receipt() {
	t.line("\nReceipt, payment %s", t.set.Payment)
	if len(t.Pieces) == 0 {
		t.line("  It ran for no time and pays %s.", money(cents(t.Payment)))
		return
	}
	limit := receiptLines
	if t.set.Every {
		limit = 0
	}
	lines := t.Receipt(limit)
	shared, ranged, prices := t.shared(), false, 0
	for i := range lines {
		ranged = ranged || lines[i].Low != lines[i].High
		prices += lines[i].Pieces
	}
	head := []string{"from", "to", "seconds"}
	if shared {
		head = append(head, "share")
	}
	head = append(head, "price")
	if ranged {
		head = append(head, "lowest", "highest")
	}
	receipt := table.New(table.Headed(terminal.Number, append(head, "charge")...)...)
	row := func(from, to string, l *Line, prices ...string) {
		cells := []any{from, to, seconds(l.Held)}
		if shared {
			cells = append(cells, fmt.Sprintf("%.4f", l.Use/(t.Size*l.Held.Seconds())))
		}
		if !ranged {
			prices = prices[:1]
		}
		for _, p := range prices {
			cells = append(cells, p)
		}
		receipt.Add(append(cells, money(l.Cents))...)
	}
	var total Line
	for i := range lines {
		l := &lines[i]
		row(t.since(l.From), t.since(l.To), l, rate(l.Price), rate(l.Low), rate(l.High))
		total.Held += l.Held
		total.Use += l.Use
		total.Cents += l.Cents
	}
	row("total", "", &total, rate(t.Payment/total.Use), "", "")
	t.rows(receipt)
	unit := "x " + t.charged()
	if shared {
		unit += " x share"
	}
	note := "charge = seconds " + unit + " x price"
	if prices > len(lines) {
		what := "one price"
		if shared {
			what = "one price and share"
		}
		note += fmt.Sprintf("; %s periods of %s are too many for a line each, so lines show means%s",
			terminal.Thousands(int64(prices)), what, hint(t.set.Hints.All))
	}
	t.wrap(2, "%s.", note)
}

// charged is the size of what it pays for.
func (t *printer) charged() string {
	if t.set.Machine.Pool {
		return fmt.Sprintf("%.6g machines", t.Size)
	}
	return count(int64(t.Job.Procs), "processor")
}

// schemes compares what the price schemes would have charged.
func (t *printer) schemes() {
	o := &t.Outcome
	t.line("\nThe same schedule under other price schemes (prices do not change who runs)")
	use := 0.0
	for i := range t.Pieces {
		use += float64(t.Size * t.Pieces[i].Share * (t.Pieces[i].To - t.Pieces[i].From).Seconds())
	}
	schemes := table.New(table.Headed(terminal.Number, "payment", "pays", "a "+t.unit(), "utility", "difference")...)
	row := func(name string, paid float64, difference string) {
		each := "-"
		if use > 0 {
			each = rate(paid / use)
		}
		schemes.Add(name, money(cents(paid)), each, money(cents(o.Valuation()-paid)), difference)
	}
	row(t.set.Payment, o.Payment, "charged")
	for i, name := range t.set.Also {
		row(name, o.Also[i], signed(cents(o.Also[i])-cents(o.Payment)))
	}
	t.rows(schemes)
	t.wrap(2, "utility = valuation - payment; valuation = -(value %s x %s x %s s from submission to end) = %s.",
		price(o.Value), t.charged(), seconds(o.Flow()), money(cents(o.Valuation())))
}
