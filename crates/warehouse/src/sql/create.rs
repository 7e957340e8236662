//! Binds CREATE TABLE and CREATE VIEW.

use sqlparser::ast::{
    ColumnDef, ColumnOption, ColumnOptionDef, CreateTable, CreateTableOptions, CreateView, Expr,
    HiveDistributionStyle, SqlOption, ValueWithSpan,
};

use super::bind_error::{BindError, BindResult};
use super::binder::Binder;
use super::literals::string_of;
use super::parse::view_query;
use super::plan::{Existing, Statement};
use super::table_names::idents;
use super::types::type_of;
use crate::schema::check_name;
use crate::types::{Field, Type};

/// Maximum number of columns in CREATE TABLE.
const MAX_COLUMNS: usize = 1900;

impl Binder<'_> {
    pub(super) fn create_table(&mut self, written: &CreateTable) -> BindResult<Statement> {
        reject_unsupported(written).map_err(|bind_error| bind_error.near(&written.name))?;
        let CreateTable { or_replace, if_not_exists, name, columns, query, .. } = written;
        let existing = existing(*or_replace, *if_not_exists)?;
        let table = self.table_name(&idents(name)?).map_err(|bind_error| bind_error.near(name))?;
        let mut fields: Vec<Field> = Vec::with_capacity(columns.len());
        for column in columns {
            let field = self::column(column).map_err(|bind_error| bind_error.near(&column.name))?;
            if fields.iter().any(|known| known.has_name(&field.name)) {
                return Err(BindError::at(
                    format!("Duplicate column name {} in CREATE TABLE", field.name),
                    &column.name,
                ));
            }
            fields.push(field);
        }
        let query = match (query, fields.is_empty()) {
            (None, true) => {
                return Err(BindError::at("CREATE TABLE requires columns or AS SELECT", name));
            }
            (None, false) => None,
            (Some(query), true) => {
                let query_plan = self.query_plan(query)?;
                fields.clone_from(&query_plan.columns);
                Some(query_plan)
            }
            (Some(query), false) => Some(
                self.query_plan_as(query, &fields)
                    .map_err(|bind_error| bind_error.near(query.as_ref()))?,
            ),
        };
        if fields.len() > MAX_COLUMNS {
            return Err(BindError::at(
                format!("a table can have at most {MAX_COLUMNS} columns"),
                name,
            ));
        }
        Ok(Statement::CreateTable { table, existing, fields, query })
    }

    pub(super) fn create_view(
        &mut self,
        written: &CreateView,
        text: &str,
    ) -> BindResult<Statement> {
        let CreateView {
            or_alter: false,
            or_replace,
            materialized: false,
            secure: false,
            name,
            name_before_not_exists: _,
            columns,
            query,
            options: CreateTableOptions::None,
            cluster_by,
            comment: None,
            with_no_schema_binding: false,
            if_not_exists,
            temporary: false,
            copy_grants: false,
            to: None,
            params: None,
        } = written
        else {
            return Err(BindError::at(
                "unsupported CREATE VIEW: write CREATE [OR REPLACE] VIEW [IF NOT EXISTS] name AS SELECT …",
                &written.name,
            ));
        };
        if !columns.is_empty() || !cluster_by.is_empty() {
            return Err(BindError::at(
                "column names of a view must be in its query: write SELECT … AS name",
                name,
            ));
        }
        let existing = existing(*or_replace, *if_not_exists)?;
        let view = self.table_name(&idents(name)?).map_err(|bind_error| bind_error.near(name))?;
        // In a view's query, table names without a dataset refer to the view's dataset.
        let around = self.dataset.replace(view.dataset.clone());
        self.views.push(view.clone());
        let query_plan = self.query_plan(query);
        self.views.pop();
        self.dataset = around;
        let fields = query_plan?.columns;
        let query = view_query(text)
            .ok_or_else(|| BindError::at("the query of the view is missing", name))?;
        Ok(Statement::CreateView { view, existing, fields, query: query.to_owned() })
    }
}

fn existing(or_replace: bool, if_not_exists: bool) -> BindResult<Existing> {
    match (or_replace, if_not_exists) {
        (false, false) => Ok(Existing::Fail),
        (false, true) => Ok(Existing::Keep),
        (true, false) => Ok(Existing::Replace),
        (true, true) => Err("OR REPLACE and IF NOT EXISTS cannot be combined".into()),
    }
}

fn column(written: &ColumnDef) -> BindResult<Field> {
    let ColumnDef { name, data_type, options } = written;
    check_name(&name.value)?;
    let mut field = Field::new(name.value.clone(), type_of(data_type)?);
    for ColumnOptionDef { name: constraint, option } in options {
        match (constraint, option) {
            (None, ColumnOption::NotNull) if matches!(field.of, Type::Array(_)) => {
                return Err("NOT NULL is not allowed for an ARRAY: arrays are never NULL".into());
            }
            (None, ColumnOption::NotNull) => field.is_required = true,
            (None, ColumnOption::Options(options)) => field.description = description(options)?,
            _ => {
                return Err(format!(
                    "a column supports only a type, NOT NULL and OPTIONS(description=…), not {}",
                    super::expression_kinds::excerpt(&option.to_string())
                )
                .into());
            }
        }
    }
    Ok(field)
}

fn description(options: &[SqlOption]) -> BindResult<Option<String>> {
    let mut found = None;
    for option in options {
        match option {
            SqlOption::KeyValue { key, value: Expr::Value(ValueWithSpan { value, span: _ }) }
                if key.value.eq_ignore_ascii_case("description") =>
            {
                found = string_of(value).transpose()?;
            }
            other => {
                return Err(format!(
                    "OPTIONS supports only description='…', not {}",
                    super::expression_kinds::excerpt(&other.to_string())
                )
                .into());
            }
        }
    }
    Ok(found)
}

/// Returns an error if the statement uses unsupported table features.
fn reject_unsupported(written: &CreateTable) -> BindResult<()> {
    if written.temporary {
        return Err(
            "temporary tables are not supported: a job runs one statement; use WITH instead".into(),
        );
    }
    if written.partition_by.is_some()
        || written.cluster_by.is_some()
        || written.clustered_by.is_some()
    {
        return Err(
            "partitioned and clustered tables are not supported: remove PARTITION BY and CLUSTER BY"
                .into(),
        );
    }
    if written.table_options != CreateTableOptions::None {
        return Err(
            "OPTIONS of tables are not supported: write OPTIONS(description='…') after a column"
                .into(),
        );
    }
    if written.like.is_some() || written.clone.is_some() {
        return Err(
            "LIKE, COPY and CLONE are not supported: start a copy job, or write CREATE TABLE … AS SELECT"
                .into(),
        );
    }
    let CreateTable {
        or_replace: _,
        temporary: _,
        unlogged: false,
        external: false,
        dynamic: false,
        global: None,
        if_not_exists: _,
        transient: false,
        volatile: false,
        iceberg: false,
        snapshot: false,
        name: _,
        columns: _,
        constraints,
        hive_distribution: HiveDistributionStyle::NONE,
        hive_formats: _,
        table_options: _,
        file_format: None,
        location: None,
        query: _,
        without_rowid: false,
        like: _,
        clone: _,
        version: None,
        comment: None,
        on_commit: None,
        on_cluster: None,
        primary_key: None,
        order_by: None,
        partition_by: _,
        cluster_by: _,
        clustered_by: _,
        inherits: None,
        partition_of: None,
        for_values: None,
        strict: false,
        copy_grants: false,
        enable_schema_evolution: None,
        change_tracking: None,
        data_retention_time_in_days: None,
        max_data_extension_time_in_days: None,
        default_ddl_collation: None,
        with_aggregation_policy: None,
        with_row_access_policy: None,
        with_storage_lifecycle_policy: None,
        with_tags: None,
        external_volume: None,
        with_connection: None,
        base_location: None,
        catalog: None,
        catalog_sync: None,
        storage_serialization_policy: None,
        target_lag: None,
        warehouse: None,
        refresh_mode: None,
        initialize: None,
        require_user: false,
        diststyle: None,
        distkey: None,
        sortkey: None,
        backup: None,
        multiset: None,
        fallback: None,
        with_data: None,
    } = written
    else {
        return Err(
            "unsupported CREATE TABLE: write CREATE TABLE name (column TYPE, …) [AS SELECT …]"
                .into(),
        );
    };
    if constraints.is_empty() {
        Ok(())
    } else {
        Err("table constraints are not supported: columns support only NOT NULL".into())
    }
}
