package results

import (
	"fmt"

	"github.com/xuri/excelize/v2"
)

// An outcomeChart is the bar chart beside the table of outcomes.
type outcomeChart struct {
	top, bottom int  // the chart is drawn beside these rows
	first, last int  // the rows of the table
	rows        bool // the chart shows rows, not trips
}

// draw adds the chart. All bars have the same colour, because excelize can't colour
// single bars. The table beside the chart has the outcomes' colours.
func (c *outcomeChart) draw(f *excelize.File) error {
	if c.last < c.first {
		return nil
	}
	column, of := "A", "Trips"
	if c.rows {
		column, of = "B", "Rows"
	}
	vary := false
	small := excelize.Font{Size: 9, Color: "404040"}
	return f.AddChart(summarySheet, fmt.Sprintf("D%d", c.top), &excelize.Chart{
		Type: excelize.Bar,
		Series: []excelize.ChartSeries{{
			Name:       of,
			Categories: fmt.Sprintf("%s!$C$%d:$C$%d", summarySheet, c.first, c.last),
			Values:     fmt.Sprintf("%s!$%s$%d:$%s$%d", summarySheet, column, c.first, column, c.last),
			Fill:       fill(colorBar),
		}},
		VaryColors: &vary,
		Title:      excelize.ChartTitle{Paragraph: []excelize.RichTextRun{{Text: of + " by outcome", Font: font(excelize.Font{Size: 10, Bold: true})}}},
		Legend:     excelize.ChartLegend{Position: "none"},
		PlotArea:   excelize.ChartPlotArea{ShowVal: true},
		XAxis:      excelize.ChartAxis{ReverseOrder: true, Font: small},
		YAxis:      excelize.ChartAxis{None: true, Font: small},
		Dimension:  excelize.ChartDimension{Width: 575, Height: uint(19 * (c.bottom - c.top + 1))},
	})
}
